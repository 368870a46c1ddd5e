package plots

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"regexp"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
	_ "gonum.org/v1/plot/vg/vgpdf" // registers its format
	_ "gonum.org/v1/plot/vg/vgsvg" // registers its format
)

// newPNG is a canvas at twice the usual resolution: text stays sharp on a good
// screen and in print.
func newPNG(size vg.Point) vg.CanvasWriterTo {
	return vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(size.X, size.Y), vgimg.UseDPI(192))}
}

// fallback is what a browser takes where the font is not installed: fonts of
// about its widths.
const fallback = `font-family:'Liberation Sans',Arimo,Arial,Helvetica,sans-serif`

// written is a text in an SVG file.
var written = regexp.MustCompile(`(?s)<text ([^>]*font-size:([0-9.]+)px[^>]*)>([^<]*)</text>`)

// writeSVG names fonts to fall back to, and says how wide each text is: in any
// other font it might run into its neighbour, or out of the picture.
func writeSVG(w io.Writer, canvas vg.CanvasWriterTo) error {
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return err
	}
	out := bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans"), []byte(fallback))
	out = written.ReplaceAllFunc(out, func(element []byte) []byte {
		m := written.FindSubmatch(element)
		size, err := strconv.ParseFloat(string(m[2]), 64)
		wide := widthOf(html.UnescapeString(string(m[3])), sans(size)).Points()
		if err != nil || wide == 0 {
			return element
		}
		return fmt.Appendf(nil, `<text textLength="%.5g" lengthAdjust="spacingAndGlyphs" %s>%s</text>`, wide, m[1], m[3])
	})
	_, err := w.Write(out)
	return err
}
