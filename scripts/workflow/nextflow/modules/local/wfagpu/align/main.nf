process WFAGPU_ALIGN {
    tag "$meta.id $shard"
    label 'process_medium'

    conda "${moduleDir}/environment.yml"
    // The image that this repository's Containerfile builds; no registry has one.
    container 'wfagpu:0.1.0'

    input:
    // A .seq file, or queries and targets; their indexes, or []; "k/n", or '' for all.
    tuple val(meta), path(sequences, arity: '1..2'), path(indexes, arity: '0..2'), val(shard)

    output:
    tuple val(meta), val(shard), path("*.tsv.gz"), emit: alignments
    tuple val(meta), val(shard), path("*.json")  , emit: stats
    tuple val("${task.process}"), val('wfagpu'), eval("wfagpu --version | cut -d ' ' -f 2"), emit: versions_wfagpu, topic: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def args   = task.ext.args ?: ''
    def prefix = (task.ext.prefix ?: "${meta.id}") + (shard ? ".${shard.replace('/', '-of-')}" : '')
    def part   = shard ? "--shard $shard" : ''
    // With a GPU in the request, a node without one is an error and no slow run.
    def device = task.accelerator ? 'gpu' : 'cpu'
    def input  = sequences.size() == 2 ? "-q ${sequences[0]} -t ${sequences[1]}" : "${sequences[0]}"
    """
    wfagpu align \\
        $part \\
        --threads $task.cpus \\
        --device $device \\
        --stats ${prefix}.json \\
        $args \\
        -o ${prefix}.tsv.gz \\
        $input
    """

    stub:
    def prefix = (task.ext.prefix ?: "${meta.id}") + (shard ? ".${shard.replace('/', '-of-')}" : '')
    """
    echo | gzip > ${prefix}.tsv.gz
    echo '{}' > ${prefix}.json
    """
}
