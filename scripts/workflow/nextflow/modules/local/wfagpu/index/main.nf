process WFAGPU_INDEX {
    tag "$meta.id"
    label 'process_single'

    conda "${moduleDir}/environment.yml"
    // The image that this repository's Containerfile builds; no registry has one.
    container 'wfagpu:0.1.0'

    input:
    tuple val(meta), path(sequences, arity: '1..2') // a .seq file, or queries and targets

    output:
    tuple val(meta), path("*.wfi", arity: '1..2'), emit: index
    tuple val("${task.process}"), val('wfagpu'), eval("wfagpu --version | cut -d ' ' -f 2"), emit: versions_wfagpu, topic: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def input = sequences.size() == 2 ? "-q ${sequences[0]} -t ${sequences[1]}" : "${sequences[0]}"
    """
    wfagpu index $input
    """

    stub:
    """
    for file in $sequences; do touch "\$file.wfi"; done
    """
}
