/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.Unknown.UNKNOWN;

import io.verbs4j.CompletionQueue;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.InputAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsObject;
import io.verbs4j.slot.CreateQpEx;
import io.verbs4j.spi.ExtendedProvider;
import io.verbs4j.spi.VerbsProvider;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Assumptions;

/** The provider as the library sees it: its names, levels and devices. See {@link NegotiationRules}. */
final class NegotiationRig extends Rig {
    static final String PAGE = "docs/guides/writing-a-provider.md, The contract";

    /** A mask bit of modify that no level has. */
    static final int LATER_ATTRIBUTE = 1 << 26;

    NegotiationRig(ProviderKit kit) {
        super(kit);
    }

    VerbsProvider met() {
        return authors().saw(VerbsProvider.class, kit.provider());
    }

    String nameFault() {
        String name = met().name();
        return name != null && name.matches("[a-z0-9-]+") ? "" : "name() is " + name;
    }

    String levelFault() {
        VerbsProvider provider = met();
        if (provider instanceof ExtendedProvider && provider.level() < 2) {
            return "level() is " + provider.level() + ", but an ExtendedProvider has at least level 2";
        }
        return provider.level() == kit.level()
                ? ""
                : "level() is " + provider.level() + ", but the kit's level() says that the provider was written for "
                        + kit.level();
    }

    String minimumFault() {
        VerbsProvider provider = met();
        int minimum = provider.minimumLibraryLevel();
        return minimum >= 1 && minimum <= provider.level()
                ? ""
                : "minimumLibraryLevel() is " + minimum + "; it must be between 1 and level(), which is "
                        + provider.level();
    }

    String devicesFault() {
        List<? extends Device> devices = met().devices();
        if (devices == null) {
            return "devices() returned null; without devices it returns an empty list";
        }
        Set<String> names = new HashSet<>();
        for (Device device : devices) {
            if (device == null) {
                return "devices() contains null";
            }
            if (device.name().isBlank() || !names.add(device.name())) {
                return "devices() contains the name '" + device.name() + "' "
                        + (device.name().isBlank() ? "" : "twice");
            }
        }
        return "";
    }

    void needsDevices() {
        Assumptions.assumeTrue(devicesFault().isEmpty(), "something is wrong with the devices; see R1.05");
    }

    static <A extends InputAttr> void refused(String verb, A first, A second, Consumer<A> call) {
        first.masks(first.compMask() | UNKNOWN, 0);
        second.masks(second.compMask(), 1);
        Seen.refuses(
                verb + " with bit 30 in its mask, which no level defines,", () -> call.accept(first), Errno.EOPNOTSUPP);
        Seen.refuses(
                verb + " with a bit in the second mask, which no level defines,",
                () -> call.accept(second),
                Errno.EOPNOTSUPP);
    }

    /** A domain and a queue of an open device, with the kit in place of the library. */
    static final class Direct implements AutoCloseable {
        final ContextOps ops;
        private final ContextTable table;
        private final int type;
        private final ProtectionDomain pd;
        private final CompletionQueue cq;
        private final List<VerbsObject> made = new ArrayList<>();

        Direct(DirectContext context, int type) {
            this.type = type;
            ops = context.libraryOps();
            table = context.table;
            pd = ops.allocPd();
            cq = ops.createCq(4, null, null, 0);
        }

        Object slot(int slot) {
            return table.provider(slot);
        }

        private QpInitAttr base() {
            QpInitAttr attr = new QpInitAttr().qpType(type).sendCq(cq).recvCq(cq);
            attr.cap().maxSendWr(1).maxRecvWr(1).maxSendSge(1).maxRecvSge(1);
            return attr;
        }

        QpInitAttrEx qpAttr() {
            return QpInitAttrEx.of(pd, base());
        }

        /** Creates a queue pair by the newer verb if the device has it, as the library does. */
        QueuePair reliable() {
            return made(
                    slot(ContextSlot.CREATE_QP_EX) instanceof CreateQpEx function
                            ? function.createQpEx(qpAttr())
                            : ops.createQp(pd, base()));
        }

        <T extends VerbsObject> T made(T object) {
            made.add(object);
            return object;
        }

        SrqInitAttrEx srqAttr() {
            SrqInitAttrEx attr = SrqInitAttrEx.of(pd, new SrqInitAttr());
            attr.attr().maxWr(4).maxSge(1);
            return attr;
        }

        /** Other rules check failures of these calls. */
        @Override
        public void close() {
            try {
                for (VerbsObject object : made) {
                    if (object instanceof QueuePair qp) {
                        ops.destroyQp(qp);
                    } else {
                        ops.destroySrq((SharedReceiveQueue) object);
                    }
                }
                ops.destroyCq(cq);
                ops.deallocPd(pd);
            } catch (VerbsException e) {
                assert e != null;
            }
        }
    }
}
