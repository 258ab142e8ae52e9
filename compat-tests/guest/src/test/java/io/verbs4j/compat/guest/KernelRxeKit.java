/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import io.verbs4j.AccessFlags;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.VerbsLevel;
import io.verbs4j.compat.kit.Capability;
import io.verbs4j.compat.kit.FullKit;
import io.verbs4j.core.Verbs;
import io.verbs4j.provider.rxe.RxeProvider;
import io.verbs4j.spi.VerbsProvider;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** The kernel's Soft-RoCE device through libibverbs. {@link KernelRulesIT} runs it in the guest. */
class KernelRxeKit extends FullKit {
    /** Property: the device of the other side, if it is not the same. */
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
    protected Set<Capability> capabilities() {
        Set<Capability> all = super.capabilities();
        all.removeAll(EnumSet.of(
                Capability.XRC,
                Capability.COMPLETION_TIMESTAMPS,
                Capability.QUERY_VALUES,
                Capability.MODIFY_CQ,
                Capability.RATE_LIMIT));
        all.addAll(EnumSet.of(Capability.REG_MR_EX, Capability.ZERO_BASED));
        // The kernel decides about these two: KernelMemoryIT and KernelBuiltIT compare the answers with C's.
        if ((OFFERED.mrAccessFlags() & AccessFlags.ON_DEMAND) != 0) {
            all.add(Capability.ON_DEMAND);
        }
        if ((OFFERED.sendOpsRc() & QpCreateSendOps.ATOMIC_WRITE) != 0) {
            all.add(Capability.ATOMIC_WRITE);
        }
        return all;
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

    /** The index of the interface's IPv4 address; the GID before it is derived from the hardware address. */
    @Override
    protected int gidIndex() {
        return 1;
    }

    /** The device does not delay anything, so whatever it must not do would have happened by then. */
    @Override
    protected Duration quiet() {
        return Duration.ofMillis(50);
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
