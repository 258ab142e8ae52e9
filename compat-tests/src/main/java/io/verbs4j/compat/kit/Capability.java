/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import java.util.List;
import java.util.function.Predicate;

/** What a device may be able to do, as the author states it by overriding a method of {@link ProviderKit}. */
public enum Capability {
    /** Reliable connections. */
    RC("hasRc", "reliable connections", KitSettings::hasRc),
    /** Unreliable connections. */
    UC("hasUc", "unreliable connections", KitSettings::hasUc),
    /** Datagrams. */
    UD("hasUd", "datagrams", KitSettings::hasUd),
    /** Datagrams that tell where they are from. */
    SENDER_ADDRESS("hasSenderAddress", "datagrams that tell their sender's address", KitSettings::hasSenderAddress),
    /** Reliable datagrams, whose order is not kept. */
    RELIABLE_DATAGRAMS("hasReliableDatagrams", "reliable datagrams without order", KitSettings::hasReliableDatagrams),
    /** SEND, and what receives it. */
    SEND("hasSend", "SEND and receives", KitSettings::hasSend),
    /** RDMA write. */
    RDMA_WRITE("hasRdmaWrite", "RDMA write", KitSettings::hasRdmaWrite),
    /** RDMA read. */
    RDMA_READ("hasRdmaRead", "RDMA read", KitSettings::hasRdmaRead),
    /** Atomic operations. */
    ATOMICS("hasAtomics", "atomic operations", KitSettings::hasAtomics),
    /** Immediate data. */
    IMMEDIATE("hasImmediate", "immediate data", KitSettings::hasImmediate),
    /** Inline data. */
    INLINE("hasInline", "inline data", KitSettings::hasInline),
    /** Shared receive queues. */
    SRQ("hasSrq", "shared receive queues", KitSettings::hasSrq),
    /** Multicast. */
    MULTICAST("hasMulticast", "multicast", KitSettings::hasMulticast),
    /** Memory windows of type 1. */
    MEMORY_WINDOWS("hasMemoryWindows", "memory windows", KitSettings::hasMemoryWindows),
    /** Memory windows of type 2, and keys that are taken back. */
    TYPE_2_WINDOWS("hasTypeTwoWindows", "memory windows of type 2", KitSettings::hasTypeTwoWindows),
    /** Messages that take a key back. */
    SEND_WITH_INV("hasSendWithInvalidate", "send with invalidate", KitSettings::hasSendWithInvalidate),
    /** Resizing completion queues. */
    RESIZE_CQ("hasResizeCq", "completion queues that can be resized", KitSettings::hasResizeCq),
    /** Completion channels. */
    COMPLETION_EVENTS("hasCompletionEvents", "completion events", KitSettings::hasCompletionEvents),
    /** Asynchronous events. */
    ASYNC_EVENTS("hasAsyncEvents", "asynchronous events", KitSettings::hasAsyncEvents),
    /** Waiting for a receiver that is not ready. */
    RNR("hasRnr", "answers of a receiver that is not ready", KitSettings::hasRnr),
    /** More than one open context. */
    SEVERAL_CONTEXTS("hasSeveralContexts", "several contexts that are open at a time", KitSettings::hasSeveralContexts),
    /** Keys that are the regions' own. */
    REGION_KEYS("hasRegionKeys", "remote keys that are the regions' own", KitSettings::hasRegionKeys),
    /** A table of extended verbs. */
    EXTENDED("hasExtendedVerbs", "extended verbs", KitSettings::hasExtendedVerbs),
    /** XRC. */
    XRC("hasXrc", "XRC", KitSettings::hasXrc),
    /** Operations that are told at creation. */
    SEND_OPS("hasSendOps", "sendOpsFlags at creation", KitSettings::hasSendOps),
    /** Extended completion queues. */
    EXTENDED_CQ("hasExtendedCq", "extended completion queues", KitSettings::hasExtendedCq),
    /** Time stamps of completions. */
    COMPLETION_TIMESTAMPS(
            "hasCompletionTimestamps", "time stamps of completions", KitSettings::hasCompletionTimestamps),
    /** A clock that can be read. */
    QUERY_VALUES("hasQueryValues", "a clock that can be read", KitSettings::hasQueryValues),
    /** What the device tells at length. */
    QUERY_DEVICE_EX("hasQueryDeviceEx", "query_device_ex", KitSettings::hasQueryDeviceEx),
    /** Entries of GID tables. */
    QUERY_GID_EX("hasQueryGidEx", "query_gid_ex and query_gid_table", KitSettings::hasQueryGidEx),
    /** The order of data. */
    DATA_IN_ORDER("hasDataInOrder", "query_qp_data_in_order", KitSettings::hasDataInOrder),
    /** Moderation of completion events. */
    MODIFY_CQ("hasModifyCq", "moderation of completion events", KitSettings::hasModifyCq),
    /** Limits of the rate of sending. */
    RATE_LIMIT("hasRateLimit", "limits of the rate of sending", KitSettings::hasRateLimit),

    // ---- the rest of level 3; queryDeviceEx tells of it
    /** Atomic write. */
    ATOMIC_WRITE("hasAtomicWrite", "atomic write", KitSettings::hasAtomicWrite),
    /** Flush, as far as {@link io.verbs4j.FlushType#GLOBAL}. */
    FLUSH("hasFlush", "flush", KitSettings::hasFlush),
    /** Flush, as far as {@link io.verbs4j.FlushType#PERSISTENT}, of mapped files. */
    FLUSH_PERSISTENT("hasFlushPersistent", "flush to what outlives a loss of power", KitSettings::hasFlushPersistent),
    /** Masked atomics. */
    MASKED_ATOMICS("hasMaskedAtomics", "masked atomics", KitSettings::hasMaskedAtomics),
    /** Keys without memory, and what gives them some. */
    FAST_REGISTER("hasFastRegister", "keys without memory and fast register", KitSettings::hasFastRegister),
    /** RDMA read that takes its key back. */
    READ_WITH_INV("hasReadWithInvalidate", "RDMA read with invalidate", KitSettings::hasReadWithInvalidate),
    /** Requests that do nothing. */
    NOP("hasNop", "requests that do nothing", KitSettings::hasNop),
    /** Regions by any address. */
    REG_MR_EX("hasRegMrEx", "regions by any address", KitSettings::hasRegMrEx),
    /** Regions by a descriptor. */
    DMABUF(
            "hasDmabufOfFiles",
            "regions by a file's descriptor, which stands in for a dma-buf",
            KitSettings::hasDmabufOfFiles),
    /** Regions whose addresses count from 0. */
    ZERO_BASED("hasZeroBased", "regions whose addresses count from 0", KitSettings::hasZeroBased),
    /** Regions of nothing. */
    NULL_MR("hasNullMr", "regions of nothing", KitSettings::hasNullMr),
    /** Regions that are paged in on demand. */
    ON_DEMAND("hasOnDemand", "regions that are paged in on demand", KitSettings::hasOnDemand),
    /** Advice about memory. */
    ADVISE_MR("hasAdviseMr", "advice about memory", KitSettings::hasAdviseMr),
    /** Memory on the device. */
    DEVICE_MEMORY("hasDeviceMemory", "memory on the device", KitSettings::hasDeviceMemory),
    /** Thread domains and parent domains. */
    PARENT_DOMAIN("hasParentDomain", "thread domains and parent domains", KitSettings::hasParentDomain),
    /** Allocators of parent domains. */
    RING_ALLOCATORS("hasRingAllocators", "allocators of rings", KitSettings::hasRingAllocators),
    /** Queue pairs that do not get their own multicasts. */
    BLOCK_SELF_MULTICAST(
            "hasBlockSelfMulticast",
            "queue pairs that do not get their own multicasts",
            KitSettings::hasBlockSelfMulticast),
    /** Queue pairs that wait for queues and let others begin. */
    CROSS_CHANNEL(
            "hasCrossChannel", "queue pairs that wait for queues and let others begin", KitSettings::hasCrossChannel),

    // ---- level 4
    /** Contexts that are imported, and what is in them. */
    IMPORTS("hasImports", "contexts that share objects", KitSettings::hasImports),
    /** Counters of what has ended. */
    COMPLETION_COUNTERS("hasCompletionCounters", "completion counters", KitSettings::hasCompletionCounters),
    /** Queue pairs that send and receive frames, and flows that steer frames. */
    ETHERNET("hasEthernet", "frames of Ethernet", KitSettings::hasEthernet),
    /** Flows that give tags, and that drop. */
    FLOW_ACTIONS("hasFlowActions", "flows that give tags and drop", KitSettings::hasFlowActions),
    /** Counters of flows. */
    FLOW_COUNTERS("hasFlowCounters", "counters of flows", KitSettings::hasFlowCounters),
    /** Checksums that the device computes. */
    CHECKSUMS("hasChecksums", "checksums that the device works out", KitSettings::hasChecksums),
    /** VLAN tags that the device strips. */
    VLAN_STRIPPING("hasVlanStripping", "tags of VLANs that are taken off", KitSettings::hasVlanStripping),
    /** Segmentation of TCP data into frames. */
    TSO("hasTso", "TSO", KitSettings::hasTso),
    /** Work queues, and queue pairs that spread frames over them. */
    WORK_QUEUES("hasWorkQueues", "work queues that frames are spread over", KitSettings::hasWorkQueues),
    /** Lists of tagged buffers. */
    TAG_MATCHING("hasTagMatching", "tag matching", KitSettings::hasTagMatching),
    /** Messages that announce data for the device to read. */
    TAG_RENDEZVOUS("hasTagRendezvous", "rendezvous of tag matching", KitSettings::hasTagRendezvous),
    /** Options of connections (ECE). */
    ECE("hasEce", "options of connections", KitSettings::hasEce),
    /** Buffers that the device allocates. */
    DMA_BUFFERS("hasDmaBuffers", "buffers that the device allocates", KitSettings::hasDmaBuffers),
    /** Hints for accesses to memory. */
    DMA_HINTS("hasDmaHints", "hints for its accesses to memory", KitSettings::hasDmaHints);

    private final String method;
    private final String words;

    @SuppressWarnings("ImmutableEnumChecker") // a reference to a method
    private final Predicate<KitSettings> stated;

    Capability(String method, String words, Predicate<KitSettings> stated) {
        this.method = method;
        this.words = words;
        this.stated = stated;
    }

    boolean in(KitSettings kit) {
        return stated.test(kit);
    }

    /** Why a rule is skipped. */
    String missing(String rule) {
        return rule + " is for devices with " + words + ", and " + method + "() says that this one has none; override "
                + method + "() to return true where it has";
    }

    /** Why a rule is skipped that is for devices with one of these. */
    static String missing(String rule, List<Capability> choice) {
        String words = String.join(" or ", choice.stream().map(one -> one.words).toList());
        String methods =
                String.join("() and ", choice.stream().map(one -> one.method).toList());
        return rule + " is for devices with " + words + ", and " + methods
                + "() say that this one has neither; override the one that it has to return true";
    }

    String method() {
        return method;
    }

    String words() {
        return words;
    }
}
