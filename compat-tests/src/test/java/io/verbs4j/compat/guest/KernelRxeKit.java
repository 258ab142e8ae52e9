/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import io.verbs4j.AccessFlags;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.VerbsLevel;
import io.verbs4j.compat.kit.FullKit;
import io.verbs4j.core.Verbs;
import io.verbs4j.provider.rxe.RxeProvider;
import io.verbs4j.spi.VerbsProvider;
import java.time.Duration;

/** The kernel's Soft-RoCE device, through libibverbs. Runs in the guest: {@link KernelRulesIT} starts it there. */
class KernelRxeKit extends FullKit {
    /** The other side's device, where it is not the same. */
    private static final String PEER = "verbs4j.guest.peer";

    private static final String DEVICE = "rxe0";
    private static final DeviceAttrEx OFFERED = ask();

    @Override
    protected VerbsProvider provider() {
        return new RxeProvider();
    }

    @Override
    protected int level() {
        return 4;
    }

    @Override
    protected String deviceName() {
        return DEVICE;
    }

    @Override
    protected String peerDeviceName() {
        return System.getProperty(PEER, deviceName());
    }

    @Override
    protected Duration patience() {
        return Duration.ofSeconds(Integer.getInteger("verbs4j.test.patience", 10));
    }

    /** The IPv4 address of the network interface; before it is the one that is made of the hardware address. */
    @Override
    protected int gidIndex() {
        return 1;
    }

    /** What the device must not do it would have done by then: it waits for nothing. */
    @Override
    protected Duration quiet() {
        return Duration.ofMillis(50);
    }

    @Override
    protected boolean hasXrc() {
        return false;
    }

    @Override
    protected boolean hasCompletionTimestamps() {
        return false;
    }

    @Override
    protected boolean hasQueryValues() {
        return false;
    }

    @Override
    protected boolean hasModifyCq() {
        return false;
    }

    @Override
    protected boolean hasRateLimit() {
        return false;
    }

    // ---- the rest of level 3

    @Override
    protected boolean hasRegMrEx() {
        return true;
    }

    @Override
    protected boolean hasZeroBased() {
        return true;
    }

    /**
     * Of these two the kernel decides: {@link KernelMemoryIT} and {@link KernelBuiltIT} compare the answers with C's.
     */
    @Override
    protected boolean hasOnDemand() {
        return (OFFERED.mrAccessFlags() & AccessFlags.ON_DEMAND) != 0;
    }

    @Override
    protected boolean hasAtomicWrite() {
        return (OFFERED.sendOpsRc() & QpCreateSendOps.ATOMIC_WRITE) != 0;
    }

    private static DeviceAttrEx ask() {
        Device device = Verbs.devices().stream()
                .filter(one -> one.name().equals(DEVICE))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no " + DEVICE + ": " + Verbs.report()));
        try (Context context = Verbs.open(device, VerbsLevel.CURRENT)) {
            return context.queryDeviceEx();
        }
    }
}
