/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.spi.ExtendedProvider;
import io.verbs4j.spi.VerbsProvider;
import java.time.Duration;
import java.util.List;

/** What authors override. See {@link ProviderKit}. */
abstract class KitSettings {
    /** For {@link ProviderKit}. */
    KitSettings() {}

    /**
     * The provider, as {@link java.util.ServiceLoader} would make it.
     *
     * @return a new instance at each call
     */
    protected abstract VerbsProvider provider();

    /**
     * The level that the provider was written for. A literal here too: so a provider whose level moves along with the
     * header is found out.
     *
     * @return the level, from 1
     */
    protected abstract int level();

    /**
     * The device to test.
     *
     * @return its name; null, as it comes, for the first one
     */
    protected String deviceName() {
        return null;
    }

    /**
     * The device of the other side.
     *
     * @return its name; as it comes, that of the device to test
     */
    protected String peerDeviceName() {
        return deviceName();
    }

    /**
     * The port to use; it must be active. Rules of their own look at the others.
     *
     * @return the port, from 1
     */
    protected int portNum() {
        return 1;
    }

    /**
     * The GID to use.
     *
     * @return its index in the port's table
     */
    protected int gidIndex() {
        return 0;
    }

    /**
     * The GID to use on another port: rules that look at all ports ask for each.
     *
     * @param port the port, from 1
     * @return its index in that port's table; {@link #gidIndex()} unless overridden
     */
    protected int gidIndex(int port) {
        return gidIndex();
    }

    /**
     * Further classes of the provider's that are subclasses of the header's: exceptions, attributes of its own verbs.
     * Those of handles and devices the kit sees by itself.
     *
     * @return the classes; none, unless overridden
     */
    protected List<Class<?>> ownTypes() {
        return List.of();
    }

    /**
     * How long a completion or an event may take.
     *
     * @return the time after which the kit gives up
     */
    protected Duration patience() {
        return Duration.ofSeconds(10);
    }

    /**
     * How long the kit looks on to see that nothing happens.
     *
     * @return the time; longer than the device needs to do what it must not do
     */
    protected Duration quiet() {
        return Duration.ofMillis(30);
    }

    /**
     * Whether the device has reliable connections; most rules need them.
     *
     * @return true, unless overridden
     */
    protected boolean hasRc() {
        return true;
    }

    /**
     * Whether the device has unreliable connections.
     *
     * @return false, unless overridden
     */
    protected boolean hasUc() {
        return false;
    }

    /**
     * Whether the device has datagrams.
     *
     * @return false, unless overridden
     */
    protected boolean hasUd() {
        return false;
    }

    /**
     * Whether a datagram tells the address of its sender, in the 40 bytes before it or, on InfiniBand, in its
     * completion: an address handle can be made of it.
     *
     * @return true, unless overridden
     */
    protected boolean hasSenderAddress() {
        return true;
    }

    /**
     * Whether the device's queue pairs of type {@link io.verbs4j.QpType#DRIVER}, made without a vendor's attributes,
     * are of reliable datagrams without order: each request says where it goes, its message arrives once or its
     * completion says why not, none waits for another, and an error is that request's alone. They have the operations
     * that are stated, and no atomic ones.
     *
     * @return false, unless overridden
     */
    protected boolean hasReliableDatagrams() {
        return false;
    }

    /** Whether there are queue pairs that lose nothing, for the rules that ask for no more than that. */
    final boolean hasReliable() {
        return hasRc() || hasReliableDatagrams();
    }

    /** The {@link io.verbs4j.QpType} of these: connections, where there are some. */
    final int reliableType() {
        return hasRc() || !hasReliableDatagrams() ? QpType.RC : QpType.DRIVER;
    }

    /**
     * Whether the device has SEND, and receives for it.
     *
     * @return true, unless overridden
     */
    protected boolean hasSend() {
        return true;
    }

    /** Whether there is anything that takes a receive. */
    final boolean hasReceives() {
        return hasSend() || hasImmediate();
    }

    /**
     * Whether the device has RDMA write.
     *
     * @return false, unless overridden
     */
    protected boolean hasRdmaWrite() {
        return false;
    }

    /**
     * Whether regions can be opened to the writes of peers, {@link io.verbs4j.AccessFlags#REMOTE_WRITE}. A device may
     * let peers write where it, or its driver's library, can't do so itself.
     *
     * @return {@link #hasRdmaWrite()}, unless overridden
     */
    protected boolean hasRemoteWriteRights() {
        return hasRdmaWrite();
    }

    /**
     * Whether the device has RDMA read.
     *
     * @return false, unless overridden
     */
    protected boolean hasRdmaRead() {
        return false;
    }

    /**
     * Whether the device has atomic operations.
     *
     * @return false, unless overridden
     */
    protected boolean hasAtomics() {
        return false;
    }

    /**
     * Whether the device has immediate data.
     *
     * @return false, unless overridden
     */
    protected boolean hasImmediate() {
        return false;
    }

    /**
     * Whether the device has inline data.
     *
     * @return false, unless overridden
     */
    protected boolean hasInline() {
        return false;
    }

    /**
     * Whether the device has shared receive queues.
     *
     * @return false, unless overridden
     */
    protected boolean hasSrq() {
        return false;
    }

    /**
     * Whether the device has multicast.
     *
     * @return false, unless overridden
     */
    protected boolean hasMulticast() {
        return false;
    }

    /**
     * Whether the device has memory windows of type 1.
     *
     * @return false, unless overridden
     */
    protected boolean hasMemoryWindows() {
        return false;
    }

    /**
     * Whether the device has memory windows of type 2, which are bound by work requests, and taken back by {@link
     * io.verbs4j.WrOpcode#LOCAL_INV}.
     *
     * @return false, unless overridden
     */
    protected boolean hasTypeTwoWindows() {
        return false;
    }

    /**
     * Whether the device has messages that take a key of the peer's back, {@link io.verbs4j.WrOpcode#SEND_WITH_INV}.
     *
     * @return false, unless overridden
     */
    protected boolean hasSendWithInvalidate() {
        return false;
    }

    /**
     * Whether the device has completion queues that can be resized.
     *
     * @return false, unless overridden
     */
    protected boolean hasResizeCq() {
        return false;
    }

    /**
     * Whether the device has completion channels.
     *
     * @return false, unless overridden
     */
    protected boolean hasCompletionEvents() {
        return false;
    }

    /**
     * Whether the device has asynchronous events about queue pairs and queues.
     *
     * @return false, unless overridden
     */
    protected boolean hasAsyncEvents() {
        return false;
    }

    /**
     * Whether the device has receivers that answer that they are not ready: a send then waits and is tried again.
     *
     * @return false, unless overridden
     */
    protected boolean hasRnr() {
        return false;
    }

    /**
     * Whether the device can be opened again while it is open. Where not, both sides of a rule share one context,
     * unless {@link #peerDeviceName()} names another device; {@link io.verbs4j.DeviceTraits#EXCLUSIVE} tells programs.
     *
     * @return true, unless overridden
     */
    protected boolean hasSeveralContexts() {
        return true;
    }

    /**
     * Whether each region has a remote key of its own, which opens that region alone. Where not, {@link
     * io.verbs4j.DeviceTraits#KEYS_BY_CONNECTION} tells programs.
     *
     * @return true, unless overridden
     */
    protected boolean hasRegionKeys() {
        return true;
    }

    /**
     * Whether queue pairs have their numbers from creation on, as {@code ibv_create_qp} has it. Where not, they have
     * one from state INIT on, and tell 0 before.
     *
     * @return true, unless overridden
     */
    protected boolean hasNumbersAtCreation() {
        return true;
    }

    /**
     * Whether modify connects queue pairs, by the peer's number and address. Where not, as by iWARP, whose devices move
     * queue pairs themselves once a connection manager has found the peer, {@link #connect(QueuePair, QueuePair)} does;
     * rules about what modify is told of a peer are left out.
     *
     * @return true, unless overridden
     */
    protected boolean hasConnectingModify() {
        return true;
    }

    /**
     * Connects two queue pairs in state INIT, and returns when both are in state RTS; asked for where {@link
     * #hasConnectingModify()} says false.
     *
     * @param a the one side's
     * @param b the other side's
     */
    protected void connect(QueuePair a, QueuePair b) {
        throw new UnsupportedOperationException(
                "hasConnectingModify() says false: override connect(QueuePair, QueuePair), which connects them");
    }

    /**
     * Whether the completion of a request tells that the other side refused it, and why. Where not, its status is
     * {@link io.verbs4j.WcStatus#GENERAL_ERR}, as of all that the device has no status for; rules that are about
     * reasons of regions are for devices with {@link #hasRegionKeys()}, and want them all the same.
     *
     * @return true, unless overridden
     */
    protected boolean hasRemoteReasons() {
        return true;
    }

    /**
     * Whether queue pairs are put into state ERR when a completion queue of theirs overruns. Where not, they stay as
     * they are, and the event and the poll tell.
     *
     * @return true, unless overridden
     */
    protected boolean hasOverrunErrors() {
        return true;
    }

    /**
     * Whether the device has a table of extended verbs: the provider is an {@link ExtendedProvider}.
     *
     * @return false, unless overridden
     */
    protected boolean hasExtendedVerbs() {
        return false;
    }

    /**
     * Whether the device has XRC, through its table.
     *
     * @return false, unless overridden
     */
    protected boolean hasXrc() {
        return false;
    }

    /**
     * Whether the device knows, through its table, {@link io.verbs4j.QpInitAttrEx#sendOpsFlags(long)}.
     *
     * @return false, unless overridden
     */
    protected boolean hasSendOps() {
        return false;
    }

    /**
     * Whether the device has, through its table, extended completion queues, which are read one completion at a time.
     *
     * @return false, unless overridden
     */
    protected boolean hasExtendedCq() {
        return false;
    }

    /**
     * Whether the device has, through its table, time stamps of completions, on extended queues.
     *
     * @return false, unless overridden
     */
    protected boolean hasCompletionTimestamps() {
        return false;
    }

    /**
     * Whether the device has, through its table, a clock that can be read.
     *
     * @return false, unless overridden
     */
    protected boolean hasQueryValues() {
        return false;
    }

    /**
     * Whether the device has, through its table, query_device_ex.
     *
     * @return false, unless overridden
     */
    protected boolean hasQueryDeviceEx() {
        return false;
    }

    /**
     * Whether the device has, through its table, query_gid_ex and query_gid_table.
     *
     * @return false, unless overridden
     */
    protected boolean hasQueryGidEx() {
        return false;
    }

    /**
     * Whether the device has, through its table, query_qp_data_in_order.
     *
     * @return false, unless overridden
     */
    protected boolean hasDataInOrder() {
        return false;
    }

    /**
     * Whether the device has, through its table, moderation of completion events.
     *
     * @return false, unless overridden
     */
    protected boolean hasModifyCq() {
        return false;
    }

    /**
     * Whether the device has, through its table, limits of the rate of sending.
     *
     * @return false, unless overridden
     */
    protected boolean hasRateLimit() {
        return false;
    }

    // ---- the rest of level 3

    /**
     * Whether the device has {@link io.verbs4j.WrOpcode#ATOMIC_WRITE}.
     *
     * @return false, unless overridden
     */
    protected boolean hasAtomicWrite() {
        return false;
    }

    /**
     * Whether the device has {@link io.verbs4j.WrOpcode#FLUSH}, as far as {@link io.verbs4j.FlushType#GLOBAL}.
     *
     * @return false, unless overridden
     */
    protected boolean hasFlush() {
        return false;
    }

    /**
     * Whether the device has it as far as {@link io.verbs4j.FlushType#PERSISTENT} too, of memory that is a mapped file.
     *
     * @return false, unless overridden
     */
    protected boolean hasFlushPersistent() {
        return false;
    }

    /**
     * Whether the device has masked atomics, of the sizes that {@link io.verbs4j.DeviceAttrEx#maskedAtomicSizes()}
     * tells.
     *
     * @return false, unless overridden
     */
    protected boolean hasMaskedAtomics() {
        return false;
    }

    /**
     * Whether the device has keys without memory, {@link io.verbs4j.WrOpcode#REG_MR}, which gives them some, and {@link
     * io.verbs4j.WrOpcode#LOCAL_INV}, which takes it back.
     *
     * @return false, unless overridden
     */
    protected boolean hasFastRegister() {
        return false;
    }

    /**
     * Whether the device has {@link io.verbs4j.WrOpcode#RDMA_READ_WITH_INV}.
     *
     * @return false, unless overridden
     */
    protected boolean hasReadWithInvalidate() {
        return false;
    }

    /**
     * Whether the device has {@link io.verbs4j.WrOpcode#NOP}.
     *
     * @return false, unless overridden
     */
    protected boolean hasNop() {
        return false;
    }

    /**
     * Whether the device has, through its table, regions by any address: {@link io.verbs4j.RegMrAttrEx#iova(long)}.
     *
     * @return false, unless overridden
     */
    protected boolean hasRegMrEx() {
        return false;
    }

    /**
     * Whether the device takes the descriptor of a file in the place of a dma-buf's, {@link
     * io.verbs4j.RegMrAttrEx#fd(int)}. One that takes dma-bufs of drivers alone has not.
     *
     * @return false, unless overridden
     */
    protected boolean hasDmabufOfFiles() {
        return false;
    }

    /**
     * Whether the device has regions whose addresses count from 0, {@link io.verbs4j.AccessFlags#ZERO_BASED}.
     *
     * @return false, unless overridden
     */
    protected boolean hasZeroBased() {
        return false;
    }

    /**
     * Whether the device has, through its table, regions of nothing.
     *
     * @return false, unless overridden
     */
    protected boolean hasNullMr() {
        return false;
    }

    /**
     * Whether the device has regions that are paged in on demand, {@link io.verbs4j.AccessFlags#ON_DEMAND}.
     *
     * @return false, unless overridden
     */
    protected boolean hasOnDemand() {
        return false;
    }

    /**
     * Whether the device takes, through its table, advice about memory that is paged in on demand.
     *
     * @return false, unless overridden
     */
    protected boolean hasAdviseMr() {
        return false;
    }

    /**
     * Whether the device has memory of its own, through its table.
     *
     * @return false, unless overridden
     */
    protected boolean hasDeviceMemory() {
        return false;
    }

    /**
     * Whether the device has, through its table, thread domains and parent domains.
     *
     * @return false, unless overridden
     */
    protected boolean hasParentDomain() {
        return false;
    }

    /**
     * Whether the device has its rings' memory from the allocators of a parent domain.
     *
     * @return false, unless overridden
     */
    protected boolean hasRingAllocators() {
        return false;
    }

    /**
     * Whether the device has {@link io.verbs4j.QpCreateFlags#BLOCK_SELF_MCAST_LB}.
     *
     * @return false, unless overridden
     */
    protected boolean hasBlockSelfMulticast() {
        return false;
    }

    /**
     * Whether the device has queue pairs that wait for completion queues and let others begin: {@link
     * io.verbs4j.WrOpcode#CQE_WAIT}, {@link io.verbs4j.WrOpcode#SEND_ENABLE}, {@link io.verbs4j.WrOpcode#RECV_ENABLE}.
     *
     * @return false, unless overridden
     */
    protected boolean hasCrossChannel() {
        return false;
    }

    // ---- level 4

    /**
     * Whether the device has, through its table, contexts that share objects within a process: {@link
     * io.verbs4j.Context#exportDevice()}, {@link io.verbs4j.OpenAttr#importFd(int)}, {@link
     * io.verbs4j.Context#importPd(int)}, {@link io.verbs4j.ProtectionDomain#importMr(int)}, and with {@link
     * #hasDeviceMemory()} {@link io.verbs4j.Context#importDm(int, long)}.
     *
     * @return false, unless overridden
     */
    protected boolean hasImports() {
        return false;
    }

    /**
     * Whether the device has, through its table, completion counters: {@link io.verbs4j.Context#createCompCntr}. Which
     * operations they count, {@link io.verbs4j.Context#queryCompCntrCaps()} reports.
     *
     * @return false, unless overridden
     */
    protected boolean hasCompletionCounters() {
        return false;
    }

    /**
     * Whether the device sends and receives Ethernet frames: queue pairs of type {@link
     * io.verbs4j.QpType#RAW_PACKET}, and, through its table, flows, which steer received frames, {@link
     * io.verbs4j.QueuePair#createFlow}. The rules filter by the Ethernet, IPv4, UDP and TCP headers. Other chapters ask
     * nothing of these queue pairs.
     *
     * @return false, unless overridden
     */
    protected boolean hasEthernet() {
        return false;
    }

    /**
     * The port of {@link #peerDeviceName()} that sends the frames. They must reach {@link #portNum()}: if the device
     * does not loop its own frames back, name another port of the same segment.
     *
     * @return {@link #portNum()}, unless overridden
     */
    protected int framePort() {
        return portNum();
    }

    /**
     * Whether flows drop frames, {@link io.verbs4j.FlowSpecActionDrop}, and give them tags, {@link
     * io.verbs4j.FlowSpecActionTag}, which the completions of extended completion queues report.
     *
     * @return false, unless overridden
     */
    protected boolean hasFlowActions() {
        return false;
    }

    /**
     * Whether the device has, through its table, counters of the packets and bytes that flows steer, {@link
     * io.verbs4j.Context#createCounters}.
     *
     * @return false, unless overridden
     */
    protected boolean hasFlowCounters() {
        return false;
    }

    /**
     * Whether the device fills in the checksums of frames, {@link io.verbs4j.SendFlags#IP_CSUM}, and checks them,
     * {@link io.verbs4j.WcFlags#IP_CSUM_OK}.
     *
     * @return false, unless overridden
     */
    protected boolean hasChecksums() {
        return false;
    }

    /**
     * Whether the device strips VLAN tags, {@link io.verbs4j.QpCreateFlags#CVLAN_STRIPPING}, and reports them in the
     * completions of extended completion queues.
     *
     * @return false, unless overridden
     */
    protected boolean hasVlanStripping() {
        return false;
    }

    /**
     * Whether the device cuts data into TCP frames, {@link io.verbs4j.WrOpcode#TSO}.
     *
     * @return false, unless overridden
     */
    protected boolean hasTso() {
        return false;
    }

    /**
     * Whether the device has, through its table, work queues, {@link io.verbs4j.Context#createWq}, and queue pairs that
     * spread frames over them by the Toeplitz hash, {@link io.verbs4j.QpInitAttrEx#rxHashConf}.
     *
     * @return false, unless overridden
     */
    protected boolean hasWorkQueues() {
        return false;
    }

    /**
     * Whether the device matches tags: it makes, through its table, shared receive queues of type {@link
     * io.verbs4j.SrqType#TM} with lists of tagged buffers, {@link io.verbs4j.SharedReceiveQueue#postSrqOps}, and the
     * completions of extended completion queues report tags.
     *
     * @return false, unless overridden
     */
    protected boolean hasTagMatching() {
        return false;
    }

    /**
     * Whether the device reads the data that a message announces, {@link io.verbs4j.TmHeader#RNDV}, if the queue pair
     * has no sends of its own.
     *
     * @return false, unless overridden
     */
    protected boolean hasTagRendezvous() {
        return false;
    }

    /**
     * Whether the device offers, through its table, options of connections: {@link io.verbs4j.QueuePair#queryEce()}
     * returns some, which {@link io.verbs4j.QueuePair#setEce} accepts.
     *
     * @return false, unless overridden
     */
    protected boolean hasEce() {
        return false;
    }

    /**
     * Whether the device allocates, through its table, buffers, {@link io.verbs4j.ProtectionDomain#allocBuf}, and
     * registers them, {@link io.verbs4j.RegMrAttrEx#buf}.
     *
     * @return false, unless overridden
     */
    protected boolean hasDmaBuffers() {
        return false;
    }

    /**
     * Whether the device has, through its table, hints for its accesses to memory, {@link
     * io.verbs4j.Context#allocDmah}, and registers memory with them, {@link io.verbs4j.RegMrAttrEx#dmah}.
     *
     * @return false, unless overridden
     */
    protected boolean hasDmaHints() {
        return false;
    }
}
