/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.NegotiationRig.LATER_ATTRIBUTE;
import static io.verbs4j.compat.kit.NegotiationRig.PAGE;
import static io.verbs4j.compat.kit.Unknown.DROPPED;

import io.verbs4j.ContextOps;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.QpAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpOpenAttr;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.core.ProviderReport;
import io.verbs4j.slot.CreateQpEx;
import io.verbs4j.slot.CreateSrqEx;
import io.verbs4j.slot.OpenQp;
import io.verbs4j.spi.ExtendedProvider;
import io.verbs4j.spi.VerbsProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Spliterator;
import org.junit.jupiter.api.Assumptions;

/** R1: how provider and library negotiate. The kit takes the place of the library here. */
interface NegotiationRules {
    @Rule(
            id = "R1.01",
            says = "the provider is registered",
            look = "META-INF/services/io.verbs4j.spi.VerbsProvider and provides in module-info.java",
            man = "java.util.ServiceLoader")
    default void r101Registered(NegotiationRig rig) {
        Class<?> type = rig.met().getClass();
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
        Seen.check(
                registered.contains(type.getName()),
                type.getName() + " is not among the registered providers " + registered);
    }

    @Rule(
            id = "R1.02",
            says = "the provider's name is of lower-case letters, digits and hyphens",
            look = "VerbsProvider.name",
            man = PAGE)
    default void r102Name(NegotiationRig rig) {
        Seen.check(rig.nameFault().isEmpty(), rig.nameFault());
    }

    @Rule(
            id = "R1.03",
            says = "the level is a literal: that of the header the source was written for",
            look = "VerbsProvider.level",
            man = PAGE)
    default void r103Level(NegotiationRig rig) {
        Seen.check(rig.levelFault().isEmpty(), rig.levelFault());
    }

    @Rule(
            id = "R1.04",
            says = "the least level of the library is from 1 to the provider's own",
            look = "VerbsProvider.minimumLibraryLevel",
            man = PAGE)
    default void r104Minimum(NegotiationRig rig) {
        Seen.check(rig.minimumFault().isEmpty(), rig.minimumFault());
    }

    @Rule(
            id = "R1.05",
            says = "each device has a name of its own",
            look = "VerbsProvider.devices",
            man = "ibv_get_device_list(3), DESCRIPTION")
    default void r105Devices(NegotiationRig rig) {
        Seen.check(rig.devicesFault().isEmpty(), rig.devicesFault());
    }

    @Rule(
            id = "R1.06",
            says = "devices that stay are the same instances at every call",
            look = "VerbsProvider.devices",
            man = PAGE)
    default void r106SameInstances(NegotiationRig rig) {
        Assumptions.assumeTrue(rig.devicesFault().isEmpty(), "something is wrong with the devices; see R1.05");
        VerbsProvider provider = rig.met();
        List<Device> before = List.copyOf(provider.devices());
        List<Device> after = List.copyOf(provider.devices());
        for (Device device : after) {
            boolean renamed = before.stream().noneMatch(b -> b.name().equals(device.name()));
            Seen.check(
                    renamed || before.stream().anyMatch(b -> b == device),
                    "the second call returned another instance of " + device
                            + "; the library identifies devices by instance");
        }
    }

    @Rule(
            id = "R1.07",
            says = "the library uses the provider and lists its device",
            look = {"VerbsProvider.devices", "the provider's constructor"},
            man = PAGE)
    default void r107Used(NegotiationRig rig) {
        String known = rig.nameFault() + rig.levelFault() + rig.minimumFault() + rig.devicesFault();
        Assumptions.assumeTrue(known.isEmpty(), "see R1.02 to R1.05: " + known);
        ProviderReport.Entry entry = rig.reported();
        Assumptions.assumeTrue(entry != null, "the library's report does not list the provider; see R1.01");
        Seen.check(entry.used(), "the library does not use the provider: " + entry.reason());
        Seen.check(
                rig.kit.deviceName() == null
                        ? !entry.deviceNames().isEmpty()
                        : entry.deviceNames().contains(rig.kit.deviceName()),
                "the library lists " + entry.deviceNames() + " for the provider"
                        + (rig.kit.deviceName() == null ? "" : ", not " + rig.kit.deviceName()));
    }

    @Rule(
            id = "R1.08",
            says = "each opening gives verbs of its own, and does not use the context yet",
            look = "VerbsProvider.openDevice",
            man = "ibv_open_device(3), DESCRIPTION")
    default void r108Open(NegotiationRig rig) {
        rig.needsDevices();
        VerbsProvider provider = rig.met();
        Device device = rig.ownDevice(provider);
        DirectContext first = new DirectContext(device, 0);
        DirectContext second = new DirectContext(device, 0);
        ContextOps one = provider.openDevice(device, first);
        Seen.check(one != null, "openDevice returned null");
        first.ops = one;
        if (rig.has(Capability.SEVERAL_CONTEXTS)) {
            rig.opened(first);
        } else {
            one.close();
        }
        ContextOps two = provider.openDevice(device, second);
        Seen.check(two != null, "openDevice returned null");
        second.ops = two;
        rig.opened(second);
        Seen.check(one != two, "two openDevice calls returned the same ContextOps");
        Seen.check(first.uses.get() == 0, "openDevice used a context that the library has not finished initializing");
    }

    @Rule(
            id = "R1.09",
            says = "a table of any size is filled as far as it goes",
            look = "VerbsProvider.initContext",
            man = PAGE,
            needs = Capability.EXTENDED)
    default void r109TableSizes(NegotiationRig rig) {
        rig.needsDevices();
        for (int size = 0; size <= ContextSlot.COUNT + 3; size++) {
            try {
                ContextTable table = rig.openDirectly(rig.met(), size).table;
                for (int slot = ContextSlot.COUNT; slot < size; slot++) {
                    Seen.check(table.provider(slot) == null, "slot " + slot + " was filled, which no level defines");
                }
            } catch (RuntimeException e) {
                Seen.check(false, "with a table of " + size + " slots (a library of another level), it threw " + e);
            }
        }
    }

    @Rule(
            id = "R1.10",
            says = "what is in a slot is of the slot's type, and what makes objects comes with what destroys them",
            look = "VerbsProvider.initContext",
            man = "the Javadoc of ContextSlot and of io.verbs4j.slot",
            needs = Capability.EXTENDED)
    default void r110SlotTypes(NegotiationRig rig) {
        rig.needsDevices();
        Seen.check(rig.met() instanceof ExtendedProvider, "the provider is not an ExtendedProvider");
        ContextTable table = rig.openDirectly(rig.met(), ContextSlot.COUNT).table;
        SlotTypes.check(table);
    }

    @Rule(
            id = "R1.11",
            says = "mask bits that the provider does not know are refused",
            look = "the functions that VerbsProvider.initContext puts into the table",
            man = "the Javadoc of InputAttr",
            needs = Capability.EXTENDED)
    default void r111UnknownBits(NegotiationRig rig) {
        rig.needsDevices();
        try (NegotiationRig.Direct direct =
                new NegotiationRig.Direct(rig.openDirectly(rig.met(), ContextSlot.COUNT), rig.reliableType())) {
            if (direct.slot(ContextSlot.CREATE_QP_EX) instanceof CreateQpEx function) {
                NegotiationRig.refused("create_qp_ex", direct.qpAttr(), direct.qpAttr(), function::createQpEx);
            }
            if (direct.slot(ContextSlot.CREATE_SRQ_EX) instanceof CreateSrqEx function) {
                NegotiationRig.refused("create_srq_ex", direct.srqAttr(), direct.srqAttr(), function::createSrqEx);
            }
            if (direct.slot(ContextSlot.OPEN_QP) instanceof OpenQp function) {
                NegotiationRig.refused("open_qp", new QpOpenAttr(), new QpOpenAttr(), function::openQp);
            }
        }
    }

    @Rule(
            id = "R1.13",
            says = "attributes of modify that the provider does not know are refused",
            look = "ContextOps.modifyQp",
            man = "the Javadoc of QpAttrMask",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r113UnknownAttributes(NegotiationRig rig) {
        rig.needsDevices();
        try (NegotiationRig.Direct direct =
                new NegotiationRig.Direct(rig.openDirectly(rig.met(), ContextSlot.COUNT), rig.reliableType())) {
            ContextOps ops = direct.ops;
            QueuePair qp = direct.reliable();
            QpAttr attr = new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(rig.kit.portNum());
            if (rig.has(Capability.RC)) {
                attr.qpAccessFlags(0);
            } else {
                attr.qkey(Side.QKEY);
            }
            Seen.refuses(
                    "modify_qp with bit 26 in its mask, which no level defines,",
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
    default void r114OptionalBits(NegotiationRig rig) {
        rig.needsDevices();
        try (NegotiationRig.Direct direct =
                new NegotiationRig.Direct(rig.openDirectly(rig.met(), ContextSlot.COUNT), rig.reliableType())) {
            if (direct.slot(ContextSlot.CREATE_QP_EX) instanceof CreateQpEx function) {
                QpInitAttrEx attr = direct.qpAttr();
                attr.masks(attr.compMask() | DROPPED, 0);
                direct.made(function.createQpEx(attr));
            }
            if (rig.has(Capability.SRQ) && direct.slot(ContextSlot.CREATE_SRQ_EX) instanceof CreateSrqEx function) {
                SrqInitAttrEx attr = direct.srqAttr();
                attr.masks(attr.compMask() | DROPPED, 0);
                direct.made(function.createSrqEx(attr));
            }
        }
    }
}
