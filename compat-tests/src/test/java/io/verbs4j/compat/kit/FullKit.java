/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

/** The kit on a device that claims every capability. */
public abstract class FullKit extends ProviderKit {
    @Override
    protected boolean hasUc() {
        return true;
    }

    @Override
    protected boolean hasUd() {
        return true;
    }

    @Override
    protected boolean hasRdmaWrite() {
        return true;
    }

    @Override
    protected boolean hasRdmaRead() {
        return true;
    }

    @Override
    protected boolean hasAtomics() {
        return true;
    }

    @Override
    protected boolean hasImmediate() {
        return true;
    }

    @Override
    protected boolean hasInline() {
        return true;
    }

    @Override
    protected boolean hasSrq() {
        return true;
    }

    @Override
    protected boolean hasMulticast() {
        return true;
    }

    @Override
    protected boolean hasMemoryWindows() {
        return true;
    }

    @Override
    protected boolean hasTypeTwoWindows() {
        return true;
    }

    @Override
    protected boolean hasSendWithInvalidate() {
        return true;
    }

    @Override
    protected boolean hasResizeCq() {
        return true;
    }

    @Override
    protected boolean hasCompletionEvents() {
        return true;
    }

    @Override
    protected boolean hasAsyncEvents() {
        return true;
    }

    @Override
    protected boolean hasRnr() {
        return true;
    }

    @Override
    protected boolean hasExtendedVerbs() {
        return true;
    }

    @Override
    protected boolean hasXrc() {
        return true;
    }

    @Override
    protected boolean hasSendOps() {
        return true;
    }

    @Override
    protected boolean hasExtendedCq() {
        return true;
    }

    @Override
    protected boolean hasCompletionTimestamps() {
        return true;
    }

    @Override
    protected boolean hasQueryValues() {
        return true;
    }

    @Override
    protected boolean hasQueryDeviceEx() {
        return true;
    }

    @Override
    protected boolean hasQueryGidEx() {
        return true;
    }

    @Override
    protected boolean hasDataInOrder() {
        return true;
    }

    @Override
    protected boolean hasModifyCq() {
        return true;
    }

    @Override
    protected boolean hasRateLimit() {
        return true;
    }
}
