/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

/** The kit on a device that claims every capability, also those of level 4, except Ethernet, ECE and hints. */
public abstract class WholeKit extends FullKit {
    @Override
    protected boolean hasAtomicWrite() {
        return true;
    }

    @Override
    protected boolean hasFlush() {
        return true;
    }

    @Override
    protected boolean hasFlushPersistent() {
        return true;
    }

    @Override
    protected boolean hasMaskedAtomics() {
        return true;
    }

    @Override
    protected boolean hasFastRegister() {
        return true;
    }

    @Override
    protected boolean hasReadWithInvalidate() {
        return true;
    }

    @Override
    protected boolean hasNop() {
        return true;
    }

    @Override
    protected boolean hasRegMrEx() {
        return true;
    }

    @Override
    protected boolean hasDmabufOfFiles() {
        return true;
    }

    @Override
    protected boolean hasZeroBased() {
        return true;
    }

    @Override
    protected boolean hasNullMr() {
        return true;
    }

    @Override
    protected boolean hasOnDemand() {
        return true;
    }

    @Override
    protected boolean hasAdviseMr() {
        return true;
    }

    @Override
    protected boolean hasDeviceMemory() {
        return true;
    }

    @Override
    protected boolean hasParentDomain() {
        return true;
    }

    @Override
    protected boolean hasRingAllocators() {
        return true;
    }

    @Override
    protected boolean hasBlockSelfMulticast() {
        return true;
    }

    @Override
    protected boolean hasCrossChannel() {
        return true;
    }

    // ---- level 4

    @Override
    protected boolean hasImports() {
        return true;
    }

    @Override
    protected boolean hasCompletionCounters() {
        return true;
    }

    @Override
    protected boolean hasTagMatching() {
        return true;
    }

    @Override
    protected boolean hasTagRendezvous() {
        return true;
    }

    @Override
    protected boolean hasDmaBuffers() {
        return true;
    }
}
