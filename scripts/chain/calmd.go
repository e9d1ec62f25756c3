package main

import "context"

// calmd has samtools check a file and compute the tags NM and MD from the reference. It counts the
// mapped records.
func (t *tools) calmd(ctx context.Context, name, reference string, f *faults) (records int, err error) {
	for _, step := range []struct {
		output  string
		command []string
	}{
		{"", []string{"samtools", "quickcheck", "-v", name}},
		{"tags.sam", []string{"samtools", "view", "-h", "--no-PG", name}},
		// Without the tags, calmd has nothing to copy.
		{"bare.sam", []string{"samtools", "view", "-h", "--no-PG", "--remove-tag", "NM,MD", name}},
		{"calmd.sam", []string{"samtools", "calmd", "--no-PG", "bare.sam", reference}},
	} {
		if err := t.run(ctx, step.output, step.command...); err != nil {
			return 0, err
		}
	}
	have, err := t.readSAM("tags.sam")
	if err != nil {
		return 0, err
	}
	want, err := t.readSAM("calmd.sam")
	if err != nil {
		return 0, err
	}
	if len(have.Records) != len(want.Records) {
		f.add("%s: samtools has %d records of %d", name, len(want.Records), len(have.Records))
		return 0, nil
	}
	for i, r := range have.Records {
		if !r.Mapped() {
			continue
		}
		records++
		w := want.Records[i]
		for _, tag := range []string{"NM:i", "MD:Z"} {
			if r.Tags[tag] != w.Tags[tag] || r.Tags[tag] == "" {
				f.add("%s: %s: %s is %s, samtools calmd has %s", name, r.Name, tag, r.Tags[tag], w.Tags[tag])
			}
		}
	}
	return records, nil
}
