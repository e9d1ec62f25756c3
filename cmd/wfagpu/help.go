package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newHelpCmd is cobra's command of that name, except that a command that does not
// exist is an error.
func newHelpCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command or topic]",
		Short: "Help about any command or topic",
		Long:  "Help prints the help of a command, as its flag --help does, or of a topic.",
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) (names []string, _ cobra.ShellCompDirective) {
			for _, sub := range c.Root().Commands() {
				if len(args) == 0 && (sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand()) {
					names = append(names, sub.Name())
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			cmd, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(c.Root(), strings.Join(args, " "))
			}
			cmd.InitDefaultHelpFlag()
			cmd.InitDefaultVersionFlag()
			return cmd.Help()
		},
	}
}

// unknownCommand suggests commands of a similar name.
func unknownCommand(root *cobra.Command, name string) error {
	hint := "see '" + root.CommandPath() + " --help'"
	if similar := root.SuggestionsFor(name); len(similar) > 0 {
		for i, s := range similar {
			similar[i] = "'" + root.CommandPath() + " " + s + "'"
		}
		hint = "did you mean " + strings.Join(similar, " or ") + "?"
	}
	return withHint(usagef("unknown command %q", name), hint)
}

// flagError says in this program's words what pflag says in those of strconv.
func flagError(cmd *cobra.Command, err error) error {
	invalid, isInvalid := errors.AsType[*pflag.InvalidValueError](err)
	number, isNumber := errors.AsType[*strconv.NumError](err)
	if isInvalid && isNumber {
		f := invalid.GetFlag()
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		err = fmt.Errorf("invalid argument %q for %q flag: %s", invalid.GetValue(), name, wantedValue(f.Value.Type(), number.Err))
	}
	return withHint(&usageError{err}, "see '"+cmd.CommandPath()+" --help'")
}

// wantedValue says what a flag of one of pflag's types takes.
func wantedValue(kind string, err error) string {
	if errors.Is(err, strconv.ErrRange) {
		return "the number is too large or too small"
	}
	switch {
	case kind == "bool":
		return "want true or false, or no value"
	case strings.HasPrefix(kind, "uint"):
		return "want a whole number of 0 or more"
	case strings.HasPrefix(kind, "int"):
		return "want a whole number"
	}
	return "want a number"
}
