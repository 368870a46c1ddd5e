package tui

// helpColumn is what the help needs across to be read.
const helpColumn = 40

// helpText is what every key does.
func (a *app) helpText() (all []string) {
	for _, g := range keys.groups() {
		if a.live && (g.name == "setting" || g.name == "replay") {
			continue
		}
		if g.name != "" {
			all = append(all, a.theme.bold.Render(g.name))
		}
		for _, k := range g.keys {
			all = append(all, "  "+fit(k.Help().Key, 10)+" "+k.Help().Desc)
		}
	}
	return all
}

// helpPages is how many screens the help takes.
func (a *app) helpPages() int {
	page := a.helpColumns() * a.body()
	return (len(a.helpText()) + page - 1) / page
}

func (a *app) helpColumns() int { return max(a.width/helpColumn, 1) }

// helpLines are a page of the help, in as many columns as can be read.
func (a *app) helpLines() []string {
	all, most, columns := a.helpText(), a.body(), a.helpColumns()
	first := (a.help - 1) * columns * most
	lines := make([]string, most)
	for i := range lines {
		line := ""
		for c := range columns {
			if j := first + c*most + i; j < len(all) {
				line += fit(all[j], a.width/columns)
			}
		}
		lines[i] = pad(line, a.width)
	}
	return lines
}
