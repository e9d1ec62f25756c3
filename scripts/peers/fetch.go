package peers

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed wfa2/fetch.sh
var fetchScript string

// FetchWFA2 fetches WFA2-lib's source from Debian and builds it as its authors
// do, below dir, and returns the tree. It needs a network the first time.
func FetchWFA2(ctx context.Context, dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	log, err := os.Create(filepath.Join(dir, "wfa2-source.log"))
	if err != nil {
		return "", err
	}
	defer log.Close()
	script := filepath.Join(dir, "wfa2-fetch.sh")
	if err := os.WriteFile(script, []byte(fetchScript), 0o755); err != nil {
		return "", err
	}
	fetch := exec.CommandContext(ctx, "sh", script, filepath.Join(dir, "wfa2-source"))
	fetch.Stderr = log
	tree, err := fetch.Output()
	if err != nil {
		return "", fmt.Errorf("%w; see %s", err, log.Name())
	}
	return strings.TrimSpace(string(tree)), nil
}
