package page

import "fmt"

// shares are horizontal bars of parts of the time of a run.
type shares struct {
	ID, Title, Text string
	Rows            []shareRow
	Legend          []string // of the parts of a row, if it has several
	Height          int
	Table           *table
}

// shareRow is a bar with its texts above it.
type shareRow struct {
	Name, Value string
	TextY, BarY int
	Parts       []sharePart
}

// sharePart is a piece of a bar. Kind is 0 for the first piece, and so on.
type sharePart struct {
	X, Width string
	Tip      string
	Kind     int
}

const (
	rowHeight = 40
	textLine  = 14 // from the top of a row to the foot of its text
	barLine   = 20 // and to its bar
)

// add makes a row of parts from 0 to 1, which have names.
func (s *shares) add(name, value string, names []string, of ...float64) {
	top := rowHeight * len(s.Rows)
	row := shareRow{Name: name, Value: value, TextY: top + textLine, BarY: top + barLine}
	x := 0.0
	for i, p := range of {
		p = min(p, 1-x)
		row.Parts = append(row.Parts, sharePart{
			X: coordinate(100 * x), Width: coordinate(100 * p), Kind: i,
			Tip: fmt.Sprintf("%s, %s: %s", name, names[i], part(p)),
		})
		x += p
	}
	s.Rows = append(s.Rows, row)
	s.Height = rowHeight * len(s.Rows)
}

// whereTimeWent tells who waited for whom.
func whereTimeWent(r *Run) *section {
	t := &r.Time
	s := &shares{ID: "shares", Title: "Parts of the time of the run", Table: &table{Title: "Parts of the time of the run", Head: []string{"what", "share of the time"}}}
	busy := func(name string, of float64) {
		s.add(name, part(of), []string{"of the time"}, of)
		s.Table.Rows = append(s.Table.Rows, []string{name, part(of)})
	}
	busy("Reading the input", t.Reading)
	busy("Reader waiting: enough batches in flight", t.Full)
	busy("Writing the results", t.Writing)
	if len(t.GPUs) > 0 {
		busy("Opening the GPUs", t.Opening)
	}
	busy("CPU aligning", t.CPU)
	names := []string{"computing", "waiting for input", "waiting for the writer"}
	for _, g := range t.GPUs {
		s.add(g.Name, part(g.Computing)+" computing", names, g.Computing, g.Input, g.Writer)
		s.Legend = names
		for i, of := range []float64{g.Computing, g.Input, g.Writer, g.Memory} {
			name := "pairs waiting for its memory"
			if i < len(names) {
				name = names[i]
			}
			s.Table.Rows = append(s.Table.Rows, []string{g.Name + ", " + name, part(of)})
		}
	}
	s.Text = fmt.Sprintf("%d bars of shares of %s. The table below has their figures.", len(s.Rows), seconds(r.Seconds))
	text := fmt.Sprintf("The run took %s and was limited by %s. Reading, aligning and writing overlap.", seconds(r.Seconds), t.Limit)
	if len(t.GPUs) > 0 {
		text += " A GPU that waits for the writer gets no input, since batches in flight take all of --host-memory."
	}
	return &section{ID: "time", Title: "Time", Texts: []string{text}, Shares: s}
}

func devices(r *Run) *section {
	t := &table{Title: "Pairs of every device", Head: []string{"device and method", "pairs"}}
	for _, d := range r.Devices {
		t.Rows = append(t.Rows, []string{d.Name, integer(d.Pairs)})
		for _, c := range d.Counts {
			if c.Pairs > 0 {
				t.Rows = append(t.Rows, []string{"– " + c.Name, integer(c.Pairs)})
			}
		}
	}
	s := &section{ID: "devices", Title: "Devices", Tables: []*table{t}}
	if r.Error != "" {
		s.Texts = []string{"Pairs are counted as they are aligned; a run that stops counts some that were not written."}
	}
	return s
}

func command(r *Run) *section {
	t := &table{Title: "Settings", Head: []string{"setting", "value"}, Words: true}
	for _, s := range r.Settings {
		t.Rows = append(t.Rows, []string{s.Name, s.Value})
	}
	t.Rows = append(t.Rows, []string{"Version", r.Version}, []string{"Build", r.Build}, []string{"Exit code", fmt.Sprint(r.ExitCode)})
	return &section{ID: "command", Title: "Command", Command: r.Command, Tables: []*table{t}}
}
