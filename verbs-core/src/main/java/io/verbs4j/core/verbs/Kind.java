/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

/** The kinds of objects that the library counts, with the words that messages use. */
enum Kind {
    CONTEXT("context", "contexts"),
    PD("protection domain", "protection domains"),
    CHANNEL("completion channel", "completion channels"),
    CQ("completion queue", "completion queues"),
    MR("memory region", "memory regions"),
    MW("memory window", "memory windows"),
    QP("queue pair", "queue pairs"),
    SRQ("shared receive queue", "shared receive queues"),
    XRCD("XRC domain", "XRC domains"),
    TD("thread domain", "thread domains"),
    DM("device memory", "device memories"),
    COUNTER("completion counter", "completion counters"),
    AH("address handle", "address handles"),
    WQ("work queue", "work queues"),
    IND_TABLE("indirection table", "indirection tables"),
    FLOW("flow", "flows"),
    FLOW_ACTION("flow action", "flow actions"),
    COUNTERS("set of counters", "sets of counters"),
    DMAH("DMA handle", "DMA handles"),
    BUF("DMA buffer", "DMA buffers"),
    /** Not a handle: the attachment of a queue pair to a multicast group. */
    ATTACHMENT("multicast attachment", "multicast attachments");

    private final String singular;
    private final String plural;

    Kind(String singular, String plural) {
        this.singular = singular;
        this.plural = plural;
    }

    String count(int count) {
        return count + " " + (count == 1 ? singular : plural);
    }

    @Override
    public String toString() {
        return singular;
    }
}
