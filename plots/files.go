package plots

import (
	"bytes"
	"io"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
	_ "gonum.org/v1/plot/vg/vgpdf" // registers its format
	_ "gonum.org/v1/plot/vg/vgsvg" // registers its format
)

// newPNG is a canvas at twice the usual resolution: text stays sharp on a good
// screen and in print.
func newPNG() vg.CanvasWriterTo {
	return vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(192))}
}

// fallback is what a browser takes where the font is not installed: fonts of
// about its widths, since the places of all letters are fixed.
const fallback = `font-family:'Liberation Sans',Arimo,Arial,Helvetica,sans-serif`

// writeSVG names fonts to fall back to.
func writeSVG(w io.Writer, canvas vg.CanvasWriterTo) error {
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return err
	}
	_, err := w.Write(bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans"), []byte(fallback)))
	return err
}
