package scenarios

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ratesim/ratesim/model"
)

// maxDataBytes is how large a trace or a file of measured delays may be.
const maxDataBytes = 256 << 20

// ReadPath reads the scenarios of a file, or of all *.yml and *.yaml files of
// a folder and its folders, in order of their names; folders in it that are
// called testdata or begin with a dot are passed over. Its errors are [Errors]
// of all files: also for a path that is not there and a folder without
// scenarios.
func ReadPath(name string, sets ...Set) ([]*model.Scenario, error) {
	return decodeFiles(name, func(n string) ([]*Document, Errors) { return parsePath(n) }, sets)
}

// ParsePath is [ReadPath] up to the documents.
func ParsePath(name string) ([]*Document, error) {
	docs, errs := parsePath(name)
	return docs, errs.orNil()
}

// decodeFiles decodes what parse found, so that errors stay in order within
// each file.
func decodeFiles(name string, parse func(string) ([]*Document, Errors), sets []Set) ([]*model.Scenario, error) {
	docs, errs := parse(name)
	byFile := map[string]Errors{}
	var files []string
	for _, e := range errs {
		if byFile[e.File] == nil {
			files = append(files, e.File)
		}
		byFile[e.File] = append(byFile[e.File], e)
	}
	for _, d := range docs {
		if byFile[d.file] == nil {
			files = append(files, d.file)
			byFile[d.file] = Errors{}
		}
	}
	slices.Sort(files)
	var all []*model.Scenario
	var left Errors
	for _, file := range slices.Compact(files) {
		var own []*Document
		for _, d := range docs {
			if d.file == file {
				own = append(own, d)
			}
		}
		s, more := decodeAll(own, byFile[file], sets)
		all, left = append(all, s...), append(left, more...)
	}
	if err := left.orNil(); err != nil {
		return nil, err
	}
	return all, nil
}

func parsePath(name string) (docs []*Document, errs Errors) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, Errors{{File: name, Msg: reason(err) + ", want a scenario file or a folder of them"}}
	}
	if !info.IsDir() {
		return parseFile(name)
	}
	var files []string
	err = fs.WalkDir(os.DirFS(name), ".", func(at string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			errs = append(errs, Error{File: filepath.Join(name, at), Msg: reason(err)})
		case e.IsDir() && at != "." && (strings.HasPrefix(e.Name(), ".") || e.Name() == "testdata"):
			return fs.SkipDir // a folder of some tool or of its tests, as the go command has it
		case !e.IsDir() && isScenario(at):
			files = append(files, filepath.Join(name, filepath.FromSlash(at)))
		}
		return nil
	})
	if err != nil {
		errs = append(errs, Error{File: name, Msg: reason(err)})
	}
	if len(files) == 0 && len(errs) == 0 {
		return nil, Errors{{File: name, Msg: "the folder holds no *.yml or *.yaml file, want at least one scenario"}}
	}
	slices.Sort(files)
	for _, file := range files {
		more, wrong := parseFile(file)
		docs, errs = append(docs, more...), append(errs, wrong...)
	}
	return docs, errs
}

// beside is a file that another one names.
func beside(file, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(file), name)
}

func isScenario(name string) bool {
	return strings.HasSuffix(name, ".yml") || strings.HasSuffix(name, ".yaml")
}

func parseFile(name string) ([]*Document, Errors) {
	data, err := readFile(name, MaxFileBytes)
	if err != nil {
		return nil, Errors{{File: name, Msg: reason(err)}}
	}
	return Parse(name, data, Options{Open: func(data string) ([]byte, error) {
		data = beside(name, data)
		b, err := readFile(data, maxDataBytes)
		if err != nil {
			return nil, fmt.Errorf("%s: %s", data, reason(err))
		}
		return b, nil
	}})
}

// ReadData reads a file of numbers that a value names, such as the CSV of an
// empirical delay: at most 256 MB of it.
func ReadData(name string) ([]byte, error) { return readFile(name, maxDataBytes) }

// readFile reads a file of at most limit bytes: a name may lead to a device
// that never ends.
func readFile(name string, limit int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("the file is larger than %d bytes, want less", limit)
	}
	return data, err
}

// reason is why a file can't be read, without its name.
func reason(err error) string {
	var at *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "there is no such file or folder"
	case errors.As(err, &at):
		return at.Err.Error()
	}
	return err.Error()
}

func numbered(name string, i int) string { return name + "-" + strconv.Itoa(i) }

// The shipped scenarios. A data file that one of them names is added here.
//
//go:embed *.yml *.csv
var shipped embed.FS

// Info is a line about a shipped scenario.
type Info struct {
	Name, About string
	File        string // its name in this package
}

// List is the shipped scenarios in order of their files.
func List() []Info {
	var all []Info
	for _, d := range shippedDocs() {
		info := Info{Name: d.name, File: d.file}
		if n := d.root.get("about"); n != nil {
			info.About = n.text
		}
		all = append(all, info)
	}
	return all
}

// Find is the shipped scenario of a name, or all of a shipped file of that
// name. Its errors are [Errors]; an unknown name is told with the nearest.
func Find(name string, sets ...Set) ([]*model.Scenario, error) {
	return decodeFiles(name, findDocs, sets)
}

// FindDocuments is [Find] up to the documents.
func FindDocuments(name string) ([]*Document, error) {
	docs, errs := findDocs(name)
	return docs, errs.orNil()
}

func findDocs(name string) ([]*Document, Errors) {
	var found, byFile []*Document
	var names []string
	for _, d := range shippedDocs() {
		names = append(names, d.name)
		if d.name == name {
			found = append(found, d)
		}
		if baseName(d.file) == name {
			byFile = append(byFile, d)
		}
	}
	if found == nil {
		found = byFile
	}
	if found == nil {
		want := "ratesim run --list names them"
		if near := model.Nearest(name, names); near != "" {
			want = "did you mean " + near + "?"
		}
		return nil, Errors{{Msg: fmt.Sprintf("no shipped scenario is called %s, %s", quote(name), want)}}
	}
	return found, nil
}

// shippedDocs parses the shipped files. That they are right is tested, so an
// error here is a mistake in the build.
func shippedDocs() []*Document {
	entries, err := shipped.ReadDir(".")
	if err != nil {
		panic(err)
	}
	var all []*Document
	for _, e := range entries {
		if !isScenario(e.Name()) {
			continue // a trace that one of them names
		}
		data, err := shipped.ReadFile(e.Name())
		if err != nil {
			panic(err)
		}
		docs, errs := Parse(e.Name(), data, Options{Open: func(name string) ([]byte, error) {
			return shipped.ReadFile(path.Clean(name))
		}})
		if len(errs) > 0 {
			panic(errs)
		}
		all = append(all, docs...)
	}
	return all
}
