package tui

// helpLines are all keys, in as many columns as there is room for.
func (a *app) helpLines(most int) []string {
	var all []string
	for _, g := range keys.groups() {
		if g.name != "" {
			all = append(all, a.theme.bold.Render(g.name))
		}
		for _, k := range g.keys {
			h := k.Help()
			if a.live && (g.name == "setting" || g.name == "replay") {
				continue
			}
			all = append(all, "  "+fit(h.Key, 10)+" "+h.Desc)
		}
	}
	columns := (len(all) + most - 1) / max(most, 1)
	width := a.width / max(columns, 1)
	lines := make([]string, most)
	for i := range lines {
		line := ""
		for c := range columns {
			if j := c*most + i; j < len(all) {
				line += fit(all[j], width)
			} else {
				line += pad("", width)
			}
		}
		lines[i] = pad(line, a.width)
	}
	return lines
}
