process WFAGPU_GATHER {
    tag "$meta.id"
    label 'process_single'

    input:
    tuple val(meta), path(parts, stageAs: 'parts/*') // in order

    output:
    tuple val(meta), path("*.tsv.gz"), emit: alignments

    when:
    task.ext.when == null || task.ext.when

    script:
    def prefix = task.ext.prefix ?: "${meta.id}"
    // gzip files one after another are a gzip file.
    """
    cat $parts > ${prefix}.tsv.gz
    """

    stub:
    def prefix = task.ext.prefix ?: "${meta.id}"
    """
    echo | gzip > ${prefix}.tsv.gz
    """
}
