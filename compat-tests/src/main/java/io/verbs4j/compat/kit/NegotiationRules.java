/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.CompletionQueue;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.InputAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpOpenAttr;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsObject;
import io.verbs4j.core.ProviderReport;
import io.verbs4j.slot.CreateQpEx;
import io.verbs4j.slot.CreateSrqEx;
import io.verbs4j.slot.OpenQp;
import io.verbs4j.spi.ExtendedProvider;
import io.verbs4j.spi.VerbsProvider;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.Spliterator;
import java.util.function.Consumer;
import org.junit.jupiter.api.Assumptions;

/** R1: how provider and library come together. Here the kit stands in the library's place. */
abstract class NegotiationRules extends KitBase {
    private static final String PAGE = "docs/guides/writing-a-provider.md, The contract";
    /** A bit that no level has, and that the provider alone must know. */
    private static final long LATER = 1L << 30;
    /** A bit that no level has, and that whoever does not know it drops. */
    private static final long DROPPED = 1L << 60;
    /** A bit of modify that no level has. */
    private static final int LATER_ATTRIBUTE = 1 << 26;

    /** For {@link ProviderKit}. */
    NegotiationRules() {}

    private VerbsProvider met() {
        return authors().saw(VerbsProvider.class, provider());
    }

    @Rule(
            id = "R1.01",
            says = "the provider is registered",
            look = "META-INF/services/io.verbs4j.spi.VerbsProvider and provides in module-info.java",
            man = "java.util.ServiceLoader")
    final void r101Registered() {
        Class<?> type = met().getClass();
        List<String> registered = new ArrayList<>();
        Spliterator<ServiceLoader.Provider<VerbsProvider>> all =
                ServiceLoader.load(VerbsProvider.class).stream().spliterator();
        boolean more = true;
        for (int errors = 0; more && errors < 16; ) {
            try {
                more = all.tryAdvance(found -> registered.add(found.type().getName()));
            } catch (ServiceConfigurationError e) {
                registered.add(e.getMessage());
                errors++;
            }
        }
        Seen.check(registered.contains(type.getName()), type.getName() + " is not among " + registered);
    }

    private String nameFault() {
        String name = met().name();
        return name != null && name.matches("[a-z0-9-]+") ? "" : "name() is " + name;
    }

    private String levelFault() {
        VerbsProvider provider = met();
        if (provider instanceof ExtendedProvider && provider.level() < 2) {
            return "level() is " + provider.level() + ", but an ExtendedProvider is of level 2 at least";
        }
        return provider.level() == level()
                ? ""
                : "level() is " + provider.level() + ", but the kit's level() says that it was written for " + level();
    }

    private String minimumFault() {
        VerbsProvider provider = met();
        int minimum = provider.minimumLibraryLevel();
        return minimum >= 1 && minimum <= provider.level()
                ? ""
                : "minimumLibraryLevel() is " + minimum + " and level() " + provider.level();
    }

    @Rule(
            id = "R1.02",
            says = "the provider's name is of lower-case letters, digits and hyphens",
            look = "VerbsProvider.name",
            man = PAGE)
    final void r102Name() {
        Seen.check(nameFault().isEmpty(), nameFault());
    }

    @Rule(
            id = "R1.03",
            says = "the level is a literal: that of the header the source was written for",
            look = "VerbsProvider.level",
            man = PAGE)
    final void r103Level() {
        Seen.check(levelFault().isEmpty(), levelFault());
    }

    @Rule(
            id = "R1.04",
            says = "the least level of the library is from 1 to the provider's own",
            look = "VerbsProvider.minimumLibraryLevel",
            man = PAGE)
    final void r104Minimum() {
        Seen.check(minimumFault().isEmpty(), minimumFault());
    }

    private String devicesFault() {
        List<? extends Device> devices = met().devices();
        if (devices == null) {
            return "devices() returned null; without devices it returns an empty list";
        }
        Set<String> names = new HashSet<>();
        for (Device device : devices) {
            if (device == null) {
                return "devices() has a null in it";
            }
            if (device.name().isBlank() || !names.add(device.name())) {
                return "devices() has the name '" + device.name() + "' "
                        + (device.name().isBlank() ? "" : "twice");
            }
        }
        return "";
    }

    @Rule(
            id = "R1.05",
            says = "each device has a name of its own",
            look = "VerbsProvider.devices",
            man = "ibv_get_device_list(3), DESCRIPTION")
    final void r105Devices() {
        Seen.check(devicesFault().isEmpty(), devicesFault());
    }

    @Rule(
            id = "R1.06",
            says = "devices that stay are the same instances at every call",
            look = "VerbsProvider.devices",
            man = PAGE)
    final void r106SameInstances() {
        Assumptions.assumeTrue(devicesFault().isEmpty(), "R1.05 tells what is wrong with the devices");
        VerbsProvider provider = met();
        List<Device> before = List.copyOf(provider.devices());
        List<Device> after = List.copyOf(provider.devices());
        for (Device device : after) {
            boolean renamed = before.stream().noneMatch(b -> b.name().equals(device.name()));
            Seen.check(
                    renamed || before.stream().anyMatch(b -> b == device),
                    "the second call gave another instance of " + device + "; the library knows devices by instance");
        }
    }

    @Rule(
            id = "R1.07",
            says = "the library uses the provider and lists its device",
            look = {"VerbsProvider.devices", "the provider's constructor"},
            man = PAGE)
    final void r107Used() {
        String known = nameFault() + levelFault() + minimumFault() + devicesFault();
        Assumptions.assumeTrue(known.isEmpty(), "R1.02 to R1.05 tell why: " + known);
        ProviderReport.Entry entry = reported();
        Assumptions.assumeTrue(entry != null, "the library's report does not have it; R1.01 tells why");
        Seen.check(entry.used(), "the library has set it aside: " + entry.reason());
        Seen.check(
                deviceName() == null
                        ? !entry.deviceNames().isEmpty()
                        : entry.deviceNames().contains(deviceName()),
                "the library lists " + entry.deviceNames() + " of it"
                        + (deviceName() == null ? "" : ", not " + deviceName()));
    }

    private void needsDevices() {
        Assumptions.assumeTrue(devicesFault().isEmpty(), "R1.05 tells what is wrong with the devices");
    }

    @Rule(
            id = "R1.08",
            says = "each opening gives verbs of its own, and does not use the context yet",
            look = "VerbsProvider.openDevice",
            man = "ibv_open_device(3), DESCRIPTION")
    final void r108Open() {
        needsDevices();
        VerbsProvider provider = met();
        Device device = ownDevice(provider);
        DirectContext first = new DirectContext(device, 0);
        DirectContext second = new DirectContext(device, 0);
        ContextOps one = provider.openDevice(device, first);
        Seen.check(one != null, "openDevice returned null");
        first.ops = one;
        if (hasSeveralContexts()) {
            opened(first);
        } else {
            one.close();
        }
        ContextOps two = provider.openDevice(device, second);
        Seen.check(two != null, "openDevice returned null");
        second.ops = two;
        opened(second);
        Seen.check(one != two, "two openings gave the same ContextOps");
        Seen.check(first.uses.get() == 0, "openDevice has used a context that the library has not finished");
    }

    @Rule(
            id = "R1.09",
            says = "a table of any size is filled as far as it goes",
            look = "VerbsProvider.initContext",
            man = PAGE,
            needs = Capability.EXTENDED)
    final void r109TableSizes() {
        needsDevices();
        for (int size = 0; size <= ContextSlot.COUNT + 3; size++) {
            try {
                ContextTable table = openDirectly(met(), size).table;
                for (int slot = ContextSlot.COUNT; slot < size; slot++) {
                    Seen.check(table.provider(slot) == null, "slot " + slot + " was filled, which no level has");
                }
            } catch (RuntimeException e) {
                Seen.check(false, "with a table of " + size + " slots (a library of another level) it threw " + e);
            }
        }
    }

    @Rule(
            id = "R1.10",
            says = "what is in a slot is of the slot's type, and what makes objects comes with what destroys them",
            look = "VerbsProvider.initContext",
            man = "the Javadoc of ContextSlot and of io.verbs4j.slot",
            needs = Capability.EXTENDED)
    final void r110SlotTypes() {
        needsDevices();
        Seen.check(met() instanceof ExtendedProvider, "the provider is no ExtendedProvider");
        ContextTable table = openDirectly(met(), ContextSlot.COUNT).table;
        SlotTypes.check(table);
    }

    @Rule(
            id = "R1.11",
            says = "mask bits that the provider does not know are refused",
            look = "the functions that VerbsProvider.initContext puts into the table",
            man = "the Javadoc of InputAttr",
            needs = Capability.EXTENDED)
    final void r111UnknownBits() {
        needsDevices();
        try (Direct direct = new Direct(openDirectly(met(), ContextSlot.COUNT), reliableType())) {
            if (direct.slot(ContextSlot.CREATE_QP_EX) instanceof CreateQpEx function) {
                refused("create_qp_ex", direct.qpAttr(), direct.qpAttr(), function::createQpEx);
            }
            if (direct.slot(ContextSlot.CREATE_SRQ_EX) instanceof CreateSrqEx function) {
                refused("create_srq_ex", direct.srqAttr(), direct.srqAttr(), function::createSrqEx);
            }
            if (direct.slot(ContextSlot.OPEN_QP) instanceof OpenQp function) {
                refused("open_qp", new QpOpenAttr(), new QpOpenAttr(), function::openQp);
            }
        }
    }

    private static <A extends InputAttr> void refused(String verb, A first, A second, Consumer<A> call) {
        first.masks(first.compMask() | LATER, 0);
        second.masks(second.compMask(), 1);
        Seen.refuses(
                verb + " with bit 30 in its mask, which no level has,", () -> call.accept(first), Errno.EOPNOTSUPP);
        Seen.refuses(
                verb + " with a bit in the second mask, which no level has,",
                () -> call.accept(second),
                Errno.EOPNOTSUPP);
    }

    @Rule(
            id = "R1.13",
            says = "attributes of modify that the provider does not know are refused",
            look = "ContextOps.modifyQp",
            man = "the Javadoc of QpAttrMask",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    final void r113UnknownAttributes() {
        needsDevices();
        try (Direct direct = new Direct(openDirectly(met(), ContextSlot.COUNT), reliableType())) {
            ContextOps ops = direct.ops;
            QueuePair qp = direct.reliable();
            QpAttr attr = new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(portNum());
            if (hasRc()) {
                attr.qpAccessFlags(0);
            } else {
                attr.qkey(Side.QKEY);
            }
            Seen.refuses(
                    "modify_qp with bit 26 in its mask, which no level has,",
                    () -> ops.modifyQp(qp, attr, attr.mask() | LATER_ATTRIBUTE),
                    Errno.EOPNOTSUPP);
        }
    }

    @Rule(
            id = "R1.14",
            says = "optional mask bits that the provider does not know are dropped",
            look = "the functions that VerbsProvider.initContext puts into the table",
            man = "the Javadoc of InputAttr (OPTIONAL_RANGE)",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.EXTENDED)
    final void r114OptionalBits() {
        needsDevices();
        try (Direct direct = new Direct(openDirectly(met(), ContextSlot.COUNT), reliableType())) {
            if (direct.slot(ContextSlot.CREATE_QP_EX) instanceof CreateQpEx function) {
                QpInitAttrEx attr = direct.qpAttr();
                attr.masks(attr.compMask() | DROPPED, 0);
                direct.made(function.createQpEx(attr));
            }
            if (hasSrq() && direct.slot(ContextSlot.CREATE_SRQ_EX) instanceof CreateSrqEx function) {
                SrqInitAttrEx attr = direct.srqAttr();
                attr.masks(attr.compMask() | DROPPED, 0);
                direct.made(function.createSrqEx(attr));
            }
        }
    }

    /** A domain and a queue in an open device, the kit in the library's place. */
    private static final class Direct implements AutoCloseable {
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

        /** By the newer verb where the device has it, as the library does. */
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

        /** What does not end well here is for rules of its own. */
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
