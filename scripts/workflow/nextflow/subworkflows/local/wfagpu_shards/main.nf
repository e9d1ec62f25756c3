include { WFAGPU_INDEX  } from '../../../modules/local/wfagpu/index/main'
include { WFAGPU_ALIGN  } from '../../../modules/local/wfagpu/align/main'
include { WFAGPU_GATHER } from '../../../modules/local/wfagpu/gather/main'

// Aligns each input in parts, one task for each, and joins their results, which are those
// of one run.
workflow WFAGPU_SHARDS {
    take:
    ch_sequences // channel: [ val(meta), path(pairs) ] or [ val(meta), [ path(query), path(target) ] ]
    shards       // integer: number of parts of each input

    main:
    WFAGPU_INDEX(ch_sequences)

    ch_parts = ch_sequences
        .join(WFAGPU_INDEX.out.index)
        .combine(Channel.of(1..shards))
        .map { meta, sequences, indexes, k -> [meta, sequences, indexes, "$k/$shards".toString()] }
    WFAGPU_ALIGN(ch_parts)

    ch_ordered = WFAGPU_ALIGN.out.alignments
        .map { meta, shard, part -> [meta, [shard.tokenize('/')[0] as int, part]] }
        .groupTuple(size: shards)
        .map { meta, parts -> [meta, parts.sort { a, b -> a[0] <=> b[0] }.collect { it[1] }] }
    WFAGPU_GATHER(ch_ordered)

    emit:
    alignments = WFAGPU_GATHER.out.alignments // channel: [ val(meta), path(tsv.gz) ]
    stats      = WFAGPU_ALIGN.out.stats       // channel: [ val(meta), val(shard), path(json) ]
}
