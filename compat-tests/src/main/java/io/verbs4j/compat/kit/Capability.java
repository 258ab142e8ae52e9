/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A capability of a device. The author declares what the device has in {@link ProviderKit#capabilities()}. The kit
 * checks that what is declared works, and that what is not declared fails with EOPNOTSUPP.
 */
public enum Capability {
    /** Reliable connections; most rules need them. */
    RC("reliable connections"),
    /** Unreliable connections. */
    UC("unreliable connections"),
    /** Datagrams. */
    UD("datagrams"),
    /**
     * Datagrams that carry the address of their sender, in the 40 bytes before the data or, on InfiniBand, in the
     * completion, so that an address handle can be created from it. Has no effect without {@link #UD}.
     */
    SENDER_ADDRESS("datagrams that report their sender's address"),
    /**
     * Reliable datagrams without order: queue pairs of type {@link io.verbs4j.QpType#DRIVER}, created without vendor
     * attributes. Each request names its destination; its message arrives once, or its completion says why not. No
     * request waits for another, and an error concerns only its request. They support the declared operations, except
     * atomic ones.
     */
    RELIABLE_DATAGRAMS("unordered reliable datagrams"),
    /** Sends, and receives for them. */
    SEND("sends and receives"),
    /** RDMA write. */
    RDMA_WRITE("RDMA write"),
    /** RDMA read. */
    RDMA_READ("RDMA read"),
    /** Atomic operations. */
    ATOMICS("atomic operations"),
    /** Immediate data. */
    IMMEDIATE("immediate data"),
    /** Inline data. */
    INLINE("inline data"),
    /** Shared receive queues. */
    SRQ("shared receive queues"),
    /** Multicast. */
    MULTICAST("multicast"),
    /** Memory windows of type 1. */
    MEMORY_WINDOWS("memory windows"),
    /**
     * Memory windows of type 2, which are bound by work requests and invalidated by {@link
     * io.verbs4j.WrOpcode#LOCAL_INV}.
     */
    TYPE_2_WINDOWS("memory windows of type 2"),
    /** Messages that invalidate a key of the peer, {@link io.verbs4j.WrOpcode#SEND_WITH_INV}. */
    SEND_WITH_INV("send with invalidate"),
    /** Completion queues that can be resized. */
    RESIZE_CQ("resizable completion queues"),
    /** Completion channels. */
    COMPLETION_EVENTS("completion events"),
    /** Asynchronous events of queue pairs and queues. */
    ASYNC_EVENTS("asynchronous events"),
    /** Receivers that report that they are not ready: the send waits and is retried. */
    RNR("receivers that report that they are not ready"),
    /**
     * Several contexts: the device can be opened again while it is open. Without it, both sides of a rule share one
     * context, unless {@link ProviderKit#peerDeviceName()} names another device; {@link
     * io.verbs4j.DeviceTraits#EXCLUSIVE} reports this to programs.
     */
    SEVERAL_CONTEXTS("several open contexts at a time"),
    /**
     * Remote keys that give access to a single region. {@link io.verbs4j.DeviceTraits#KEYS_BY_CONNECTION} reports to
     * programs that a device lacks them.
     */
    REGION_KEYS("remote keys that give access to one region only"),
    /**
     * A table of extended verbs: the provider is an {@link io.verbs4j.spi.ExtendedProvider}. {@link #XRC}, {@link
     * #SEND_OPS} and everything from {@link #EXTENDED_CQ} on need it.
     */
    EXTENDED("extended verbs"),
    /** XRC. */
    XRC("XRC"),
    /** Operations that are declared at creation, {@link io.verbs4j.QpInitAttrEx#sendOpsFlags(long)}. */
    SEND_OPS("sendOpsFlags at creation"),
    /** Extended completion queues, which are read one completion at a time. */
    EXTENDED_CQ("extended completion queues"),
    /** Time stamps of completions, on extended queues. */
    COMPLETION_TIMESTAMPS("completion time stamps"),
    /** A clock that programs can read. */
    QUERY_VALUES("a readable clock"),
    /** The verb {@link io.verbs4j.Context#queryDeviceEx()}. */
    QUERY_DEVICE_EX("query_device_ex"),
    /** The verbs query_gid_ex and query_gid_table. */
    QUERY_GID_EX("query_gid_ex and query_gid_table"),
    /** The verb query_qp_data_in_order. */
    DATA_IN_ORDER("query_qp_data_in_order"),
    /** Moderation of completion events. */
    MODIFY_CQ("completion event moderation"),
    /** Limits of the rate of sending. */
    RATE_LIMIT("send rate limits"),

    // ---- the rest of level 3; queryDeviceEx reports it
    /** Atomic writes, {@link io.verbs4j.WrOpcode#ATOMIC_WRITE}. */
    ATOMIC_WRITE("atomic write"),
    /** Flushes to global visibility, {@link io.verbs4j.WrOpcode#FLUSH} with {@link io.verbs4j.FlushType#GLOBAL}. */
    FLUSH("flush"),
    /** Flushes to persistence, {@link io.verbs4j.FlushType#PERSISTENT}, of memory that is a mapped file. */
    FLUSH_PERSISTENT("flush to persistent memory"),
    /** Masked atomics, of the sizes that {@link io.verbs4j.DeviceAttrEx#maskedAtomicSizes()} reports. */
    MASKED_ATOMICS("masked atomics"),
    /**
     * Keys without memory; {@link io.verbs4j.WrOpcode#REG_MR} gives them memory, {@link io.verbs4j.WrOpcode#LOCAL_INV}
     * invalidates them.
     */
    FAST_REGISTER("fast registration of keys without memory"),
    /** RDMA reads that invalidate the local key, {@link io.verbs4j.WrOpcode#RDMA_READ_WITH_INV}. */
    READ_WITH_INV("RDMA read with invalidate"),
    /** Requests that do nothing, {@link io.verbs4j.WrOpcode#NOP}. */
    NOP("no-op requests"),
    /** Regions with an address chosen by the program, {@link io.verbs4j.RegMrAttrEx#iova(long)}. */
    REG_MR_EX("regions with a chosen address"),
    /**
     * Regions of a file's descriptor in place of a dma-buf's, {@link io.verbs4j.RegMrAttrEx#fd(int)}. A device that
     * accepts only dma-bufs of drivers lacks this.
     */
    DMABUF("regions of a file descriptor in place of a dma-buf"),
    /** Regions whose addresses count from 0, {@link io.verbs4j.AccessFlags#ZERO_BASED}. */
    ZERO_BASED("zero-based regions"),
    /** Null regions: writes to them vanish, and reads return zeros. */
    NULL_MR("null regions"),
    /** Regions that are paged in on demand, {@link io.verbs4j.AccessFlags#ON_DEMAND}. */
    ON_DEMAND("on-demand paging"),
    /** Advice about memory that is paged in on demand. */
    ADVISE_MR("memory advice"),
    /** Memory on the device. */
    DEVICE_MEMORY("device memory"),
    /** Thread domains and parent domains. */
    PARENT_DOMAIN("thread domains and parent domains"),
    /** Rings in memory from the allocators of a parent domain. */
    RING_ALLOCATORS("ring allocators"),
    /** Queue pairs that do not receive their own multicasts, {@link io.verbs4j.QpCreateFlags#BLOCK_SELF_MCAST_LB}. */
    BLOCK_SELF_MULTICAST("queue pairs that do not receive their own multicasts"),
    /**
     * Queue pairs that wait for completion queues and enable others: {@link io.verbs4j.WrOpcode#CQE_WAIT}, {@link
     * io.verbs4j.WrOpcode#SEND_ENABLE}, {@link io.verbs4j.WrOpcode#RECV_ENABLE}.
     */
    CROSS_CHANNEL("queue pairs that wait for queues and enable others"),

    // ---- level 4
    /**
     * Contexts that share objects within a process: {@link io.verbs4j.Context#exportDevice()}, {@link
     * io.verbs4j.OpenAttr#importFd(int)}, {@link io.verbs4j.Context#importPd(int)}, {@link
     * io.verbs4j.ProtectionDomain#importMr(int)}, and with {@link #DEVICE_MEMORY} {@link
     * io.verbs4j.Context#importDm(int, long)}.
     */
    IMPORTS("contexts that share objects"),
    /**
     * Completion counters, {@link io.verbs4j.Context#createCompCntr}. {@link io.verbs4j.Context#queryCompCntrCaps()}
     * reports which operations they count.
     */
    COMPLETION_COUNTERS("completion counters"),
    /**
     * Ethernet frames: queue pairs of type {@link io.verbs4j.QpType#RAW_PACKET}, and flows, which steer received
     * frames, {@link io.verbs4j.QueuePair#createFlow}. The rules filter by the Ethernet, IPv4, UDP and TCP headers.
     * Other chapters do not test these queue pairs.
     */
    ETHERNET("Ethernet frames"),
    /**
     * Flows that drop frames, {@link io.verbs4j.FlowSpecActionDrop}, or tag them, {@link io.verbs4j.FlowSpecActionTag}.
     * The completions of extended completion queues report the tags.
     */
    FLOW_ACTIONS("flows that tag or drop frames"),
    /** Counters of the packets and bytes that flows steer, {@link io.verbs4j.Context#createCounters}. */
    FLOW_COUNTERS("flow counters"),
    /**
     * Checksums of frames: filled in, {@link io.verbs4j.SendFlags#IP_CSUM}, and checked,
     * {@link io.verbs4j.WcFlags#IP_CSUM_OK}.
     */
    CHECKSUMS("checksum offload"),
    /**
     * VLAN tags that the device strips, {@link io.verbs4j.QpCreateFlags#CVLAN_STRIPPING}, and reports in the
     * completions of extended completion queues.
     */
    VLAN_STRIPPING("VLAN stripping"),
    /** Data that the device cuts into TCP frames, {@link io.verbs4j.WrOpcode#TSO}. */
    TSO("TSO"),
    /**
     * Work queues, {@link io.verbs4j.Context#createWq}, and queue pairs that spread frames over them by the
     * Toeplitz hash, {@link io.verbs4j.QpInitAttrEx#rxHashConf}.
     */
    WORK_QUEUES("work queues that frames are distributed over"),
    /**
     * Tag matching: shared receive queues of type {@link io.verbs4j.SrqType#TM} with lists of tagged buffers,
     * {@link io.verbs4j.SharedReceiveQueue#postSrqOps}, and extended completion queues whose completions report
     * tags.
     */
    TAG_MATCHING("tag matching"),
    /**
     * Rendezvous: the device reads the data that a message announces, {@link io.verbs4j.TmHeader#RNDV}, provided that
     * the queue pair has no sends of its own.
     */
    TAG_RENDEZVOUS("tag-matching rendezvous"),
    /**
     * Connection options: {@link io.verbs4j.QueuePair#queryEce()} returns some, which {@link
     * io.verbs4j.QueuePair#setEce} accepts.
     */
    ECE("connection options"),
    /**
     * Buffers that the device allocates, {@link io.verbs4j.ProtectionDomain#allocBuf}, and registers,
     * {@link io.verbs4j.RegMrAttrEx#buf}.
     */
    DMA_BUFFERS("buffers that the device allocates"),
    /**
     * Hints for memory accesses, {@link io.verbs4j.Context#allocDmah}, with which memory is registered, {@link
     * io.verbs4j.RegMrAttrEx#dmah}.
     */
    DMA_HINTS("memory access hints");

    private final String words;

    Capability(String words) {
        this.words = words;
    }

    /** {@return why a rule is skipped that needs this capability} */
    String missing(String rule) {
        return rule + " requires " + words + ", which capabilities() does not declare; add " + label()
                + " if the device supports this";
    }

    /** {@return why a rule is skipped that needs one of several capabilities} */
    static String missing(String rule, List<Capability> choice) {
        String words = choice.stream().map(Capability::words).collect(Collectors.joining(" or "));
        String labels = choice.stream().map(Capability::label).collect(Collectors.joining(" or "));
        return rule + " requires " + words + ", and capabilities() declares none of them; add " + labels
                + " if the device supports one";
    }

    /** {@return the constant as the author writes it, for messages} */
    String label() {
        return "Capability." + name();
    }

    String words() {
        return words;
    }
}
