/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.compat.kit.model.Fault;
import io.verbs4j.compat.kit.model.ModelProvider;
import io.verbs4j.compat.kit.model.PlainProvider;
import io.verbs4j.compat.kit.model.Traits;
import io.verbs4j.compat.kit.model.Unlike;
import io.verbs4j.spi.VerbsProvider;
import java.time.Duration;
import java.util.Set;

/** The kit on the model; run by {@link KitRun} alone. Quick: the model does at once what it does. */
class ModelKit extends ProviderKit {
    /** The system property that names the capabilities that are not stated, with commas between. */
    static final String UNSTATED = "io.verbs4j.compat.kit.unstated";

    /** The system property that says that peers may write where the device can't. */
    static final String PEERS_WRITE = "io.verbs4j.compat.kit.peers.write";

    /** The system property that names in what the kit is told that the model is unlike most, with commas between. */
    static final String SAYS_UNLIKE = "io.verbs4j.compat.kit.unlike";

    private static final Set<String> UNLIKE =
            Set.of(System.getProperty(SAYS_UNLIKE, "").split(",", -1));

    private static final Set<Capability> LEFT_OUT = Traits.capabilities(System.getProperty(UNSTATED, ""));
    private static final VerbsProvider MODEL =
            CurrentModel.of(Traits.has(Capability.EXTENDED) ? new ModelProvider() : new PlainProvider());

    @Override
    protected VerbsProvider provider() {
        return MODEL;
    }

    @Override
    protected int level() {
        return Traits.has(Capability.EXTENDED) ? 4 : 1;
    }

    @Override
    protected Duration patience() {
        return Duration.ofMillis(100);
    }

    @Override
    protected Duration quiet() {
        return Duration.ofMillis(5);
    }

    private static boolean states(Capability capability) {
        return !LEFT_OUT.contains(capability);
    }

    @Override
    protected boolean hasRc() {
        return states(Capability.RC);
    }

    @Override
    protected boolean hasUc() {
        return states(Capability.UC);
    }

    @Override
    protected boolean hasUd() {
        return states(Capability.UD) && !Fault.HIDDEN_UD.on();
    }

    @Override
    protected boolean hasSenderAddress() {
        return states(Capability.SENDER_ADDRESS);
    }

    @Override
    protected boolean hasRemoteWriteRights() {
        return hasRdmaWrite() || Boolean.getBoolean(PEERS_WRITE);
    }

    @Override
    protected boolean hasNumbersAtCreation() {
        return !UNLIKE.contains(Unlike.LATE_NUMBERS.name());
    }

    @Override
    protected boolean hasRemoteReasons() {
        return !UNLIKE.contains(Unlike.NO_REMOTE_REASONS.name());
    }

    @Override
    protected boolean hasOverrunErrors() {
        return !UNLIKE.contains(Unlike.OVERRUN_SPARES.name());
    }

    @Override
    protected boolean hasReliableDatagrams() {
        return states(Capability.RELIABLE_DATAGRAMS);
    }

    @Override
    protected boolean hasSend() {
        return states(Capability.SEND);
    }

    @Override
    protected boolean hasRdmaWrite() {
        return states(Capability.RDMA_WRITE);
    }

    @Override
    protected boolean hasRdmaRead() {
        return states(Capability.RDMA_READ);
    }

    @Override
    protected boolean hasAtomics() {
        return states(Capability.ATOMICS);
    }

    @Override
    protected boolean hasImmediate() {
        return states(Capability.IMMEDIATE);
    }

    @Override
    protected boolean hasInline() {
        return states(Capability.INLINE);
    }

    @Override
    protected boolean hasSrq() {
        return states(Capability.SRQ);
    }

    @Override
    protected boolean hasMulticast() {
        return states(Capability.MULTICAST) && hasUd();
    }

    @Override
    protected boolean hasMemoryWindows() {
        return states(Capability.MEMORY_WINDOWS);
    }

    @Override
    protected boolean hasTypeTwoWindows() {
        return states(Capability.TYPE_2_WINDOWS);
    }

    @Override
    protected boolean hasSendWithInvalidate() {
        return states(Capability.SEND_WITH_INV);
    }

    @Override
    protected boolean hasResizeCq() {
        return states(Capability.RESIZE_CQ);
    }

    @Override
    protected boolean hasCompletionEvents() {
        return states(Capability.COMPLETION_EVENTS);
    }

    @Override
    protected boolean hasAsyncEvents() {
        return states(Capability.ASYNC_EVENTS);
    }

    @Override
    protected boolean hasRnr() {
        return states(Capability.RNR);
    }

    @Override
    protected boolean hasSeveralContexts() {
        return states(Capability.SEVERAL_CONTEXTS);
    }

    @Override
    protected boolean hasRegionKeys() {
        return states(Capability.REGION_KEYS);
    }

    @Override
    protected boolean hasExtendedVerbs() {
        return states(Capability.EXTENDED);
    }

    @Override
    protected boolean hasXrc() {
        return states(Capability.XRC);
    }

    @Override
    protected boolean hasSendOps() {
        return states(Capability.SEND_OPS);
    }

    @Override
    protected boolean hasExtendedCq() {
        return states(Capability.EXTENDED_CQ);
    }

    @Override
    protected boolean hasCompletionTimestamps() {
        return states(Capability.COMPLETION_TIMESTAMPS);
    }

    @Override
    protected boolean hasQueryValues() {
        return states(Capability.QUERY_VALUES);
    }

    @Override
    protected boolean hasQueryDeviceEx() {
        return states(Capability.QUERY_DEVICE_EX);
    }

    @Override
    protected boolean hasQueryGidEx() {
        return states(Capability.QUERY_GID_EX);
    }

    @Override
    protected boolean hasDataInOrder() {
        return states(Capability.DATA_IN_ORDER);
    }

    @Override
    protected boolean hasModifyCq() {
        return states(Capability.MODIFY_CQ);
    }

    @Override
    protected boolean hasRateLimit() {
        return states(Capability.RATE_LIMIT);
    }

    // ---- the rest of level 3

    @Override
    protected boolean hasAtomicWrite() {
        return states(Capability.ATOMIC_WRITE);
    }

    @Override
    protected boolean hasFlush() {
        return states(Capability.FLUSH);
    }

    @Override
    protected boolean hasFlushPersistent() {
        return states(Capability.FLUSH_PERSISTENT);
    }

    @Override
    protected boolean hasMaskedAtomics() {
        return states(Capability.MASKED_ATOMICS);
    }

    @Override
    protected boolean hasFastRegister() {
        return states(Capability.FAST_REGISTER);
    }

    @Override
    protected boolean hasReadWithInvalidate() {
        return states(Capability.READ_WITH_INV);
    }

    @Override
    protected boolean hasNop() {
        return states(Capability.NOP);
    }

    @Override
    protected boolean hasRegMrEx() {
        return states(Capability.REG_MR_EX);
    }

    @Override
    protected boolean hasDmabufOfFiles() {
        return states(Capability.DMABUF);
    }

    @Override
    protected boolean hasZeroBased() {
        return states(Capability.ZERO_BASED);
    }

    @Override
    protected boolean hasNullMr() {
        return states(Capability.NULL_MR);
    }

    @Override
    protected boolean hasOnDemand() {
        return states(Capability.ON_DEMAND);
    }

    @Override
    protected boolean hasAdviseMr() {
        return states(Capability.ADVISE_MR);
    }

    @Override
    protected boolean hasDeviceMemory() {
        return states(Capability.DEVICE_MEMORY);
    }

    @Override
    protected boolean hasParentDomain() {
        return states(Capability.PARENT_DOMAIN);
    }

    @Override
    protected boolean hasRingAllocators() {
        return states(Capability.RING_ALLOCATORS);
    }

    @Override
    protected boolean hasBlockSelfMulticast() {
        return states(Capability.BLOCK_SELF_MULTICAST);
    }

    @Override
    protected boolean hasCrossChannel() {
        return states(Capability.CROSS_CHANNEL);
    }

    // ---- level 4

    @Override
    protected boolean hasImports() {
        return states(Capability.IMPORTS);
    }

    @Override
    protected boolean hasCompletionCounters() {
        return states(Capability.COMPLETION_COUNTERS);
    }

    @Override
    protected boolean hasEthernet() {
        return states(Capability.ETHERNET);
    }

    /** A frame reaches only the other ports. */
    @Override
    protected int framePort() {
        return 2;
    }

    @Override
    protected boolean hasFlowActions() {
        return states(Capability.FLOW_ACTIONS);
    }

    @Override
    protected boolean hasFlowCounters() {
        return states(Capability.FLOW_COUNTERS);
    }

    @Override
    protected boolean hasChecksums() {
        return states(Capability.CHECKSUMS);
    }

    @Override
    protected boolean hasVlanStripping() {
        return states(Capability.VLAN_STRIPPING);
    }

    @Override
    protected boolean hasTso() {
        return states(Capability.TSO);
    }

    @Override
    protected boolean hasWorkQueues() {
        return states(Capability.WORK_QUEUES);
    }

    @Override
    protected boolean hasTagMatching() {
        return states(Capability.TAG_MATCHING);
    }

    @Override
    protected boolean hasTagRendezvous() {
        return states(Capability.TAG_RENDEZVOUS);
    }

    @Override
    protected boolean hasEce() {
        return states(Capability.ECE);
    }

    @Override
    protected boolean hasDmaBuffers() {
        return states(Capability.DMA_BUFFERS);
    }

    @Override
    protected boolean hasDmaHints() {
        return states(Capability.DMA_HINTS);
    }
}
