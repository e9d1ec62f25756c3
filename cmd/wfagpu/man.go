package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manSections are the sections of a page that are not in the help of its
// command, in Markdown, by the command's name. In the place of @PENALTIES@ comes
// penaltiesHelp, in that of @COLUMNS@ columnsHelp.
//
//go:embed man/*.md
var manSections embed.FS

// newManCmd returns the hidden command that `make man` runs.
func newManCmd() *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "Write the man pages to a directory",
		Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return withHint(usagef("want one directory, got %d", len(args)), "wfagpu man DIR")
			}
			date, err := pageDate()
			if err != nil {
				return err
			}
			return writeManPages(cmd.Root(), args[0], date)
		},
	}
}

// pageDate is SOURCE_DATE_EPOCH, for reproducible builds, or else today.
func pageDate() (time.Time, error) {
	epoch := os.Getenv("SOURCE_DATE_EPOCH")
	if epoch == "" {
		return time.Now(), nil
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return time.Time{}, usagef("SOURCE_DATE_EPOCH is not a number of seconds: %q", epoch)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// writeManPages writes a page for the program and for each of its commands.
func writeManPages(root *cobra.Command, dir string, date time.Time) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	commands := []*cobra.Command{root}
	for _, c := range root.Commands() {
		if hasPage(c) {
			commands = append(commands, c)
		}
	}
	for _, c := range commands {
		text, err := manText(c, date)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, pageName(c)+".1"), md2man.Render([]byte(text)), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// hasPage leaves out hidden commands, and those that cobra adds.
func hasPage(c *cobra.Command) bool {
	return c.IsAvailableCommand() && c.Name() != "completion"
}

func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manText is the page of a command in Markdown: its help, with sections of
// manSections after the options.
func manText(c *cobra.Command, date time.Time) (string, error) {
	name := pageName(c)
	description, codes, _ := strings.Cut(c.Long, "Exit codes:\n")
	if description == "" {
		description = c.Short + "."
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%% %q \"1\" %q \"wfagpu %s\" \"User commands\"\n", strings.ToUpper(name), date.Format(time.DateOnly), version)
	fmt.Fprintf(&b, "# NAME\n%s - %s\n", name, markdown(c.Short))
	fmt.Fprintf(&b, "# SYNOPSIS\n%s\n", synopsis(c))
	fmt.Fprintf(&b, "# DESCRIPTION\n%s\n\n", markdown(strings.TrimSpace(description)))
	options(&b, c)
	exitStatus(&b, codes)
	more, err := manSections.ReadFile("man/" + c.Name() + ".md")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	b.WriteString(strings.NewReplacer("@PENALTIES@\n", penaltiesHelp(), "@COLUMNS@\n", columnsHelp()).Replace(string(more)))
	if c.HasExample() {
		fmt.Fprintf(&b, "# EXAMPLES\n```\n%s\n```\n", c.Example)
	}
	seeAlso(&b, c)
	return b.String(), nil
}

// markdown escapes what Markdown would not take as plain text.
func markdown(text string) string {
	const special = "\\`*_{}[]<>#|~"
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune(special, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func synopsis(c *cobra.Command) string {
	if c.HasSubCommands() {
		return "**" + c.Name() + "** *command* \\[flags\\]"
	}
	line := c.UseLine()
	return "**" + c.CommandPath() + "**" + markdown(strings.TrimPrefix(line, c.CommandPath()))
}

func options(b *strings.Builder, c *cobra.Command) {
	c.InitDefaultHelpFlag()
	c.InitDefaultVersionFlag()
	b.WriteString("# OPTIONS\n\n")
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		if f.Shorthand != "" {
			fmt.Fprintf(b, "**-%s**, ", f.Shorthand)
		}
		fmt.Fprintf(b, "**--%s**", f.Name)
		if value != "" {
			fmt.Fprintf(b, " *%s*", markdown(value))
		}
		fmt.Fprintf(b, "\n: %s", markdown(usage))
		if f.DefValue != "" && f.Value.Type() != "bool" {
			fmt.Fprintf(b, " (default %s)", markdown(f.DefValue))
		}
		b.WriteString("\n\n")
	})
}

// exitStatus is the section of a help text's exit codes: lines of a code and its
// meaning.
func exitStatus(b *strings.Builder, codes string) {
	if codes == "" {
		return
	}
	b.WriteString("# EXIT STATUS\n\n")
	for line := range strings.Lines(codes) {
		code, meaning, _ := strings.Cut(strings.TrimSpace(line), " ")
		fmt.Fprintf(b, "%s\n: %s\n\n", code, markdown(strings.TrimSpace(meaning)))
	}
}

func seeAlso(b *strings.Builder, c *cobra.Command) {
	var pages []string
	if c.HasParent() {
		pages = append(pages, "**"+pageName(c.Parent())+"**(1)")
	}
	others := c.Commands()
	if c.HasParent() {
		others = c.Parent().Commands()
	}
	for _, other := range others {
		if other != c && hasPage(other) {
			pages = append(pages, "**"+pageName(other)+"**(1)")
		}
	}
	fmt.Fprintf(b, "# SEE ALSO\n%s\n", strings.Join(pages, ", "))
}
