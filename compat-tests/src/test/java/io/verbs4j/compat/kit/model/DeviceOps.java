/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.AhAttr;
import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.DeviceAttr;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.LinkLayer;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.Mtu;
import io.verbs4j.MwType;
import io.verbs4j.ParentDomain;
import io.verbs4j.PortAttr;
import io.verbs4j.PortState;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.compat.kit.Capability;
import java.nio.ByteBuffer;

/** The model's control verbs for the device, domains, memory and addresses. */
abstract class DeviceOps implements ContextOps {
    static final int MAX_WR = 1000;
    static final int MAX_SGE = 4;
    static final int MAX_CQE = 1000;

    final Context context;
    private int domains;
    private int freedDomains;
    private int gidCalls;

    private static final class Pd extends ProtectionDomain {
        Pd(Context context) {
            super(context);
        }
    }

    /** A fault: an object with method names that are not in the header, which no provider may have. */
    private static final class OwnNames extends ProtectionDomain {
        OwnNames(Context context) {
            super(context);
        }

        /** A later header may use this name with another meaning. */
        @SuppressWarnings("UnusedMethod") // its presence is the fault
        boolean isClosed() {
            return context() == null;
        }
    }

    /** As {@link OwnNames}, with a static method. */
    private static final class OwnStatics extends ProtectionDomain {
        OwnStatics(Context context) {
            super(context);
        }

        static ProtectionDomain of(Context context) {
            return new OwnStatics(context);
        }
    }

    /** Adds a name to its implementors. */
    private interface Named {
        @SuppressWarnings("UnusedMethod") // as above
        default String name() {
            return "a domain";
        }
    }

    /** As {@link OwnNames}, with a method inherited from an interface. */
    private static final class OwnInterfaces extends ProtectionDomain implements Named {
        OwnInterfaces(Context context) {
            super(context);
        }
    }

    static final class Ah extends AddressHandle {
        final Gid to;

        Ah(ProtectionDomain pd, Gid to) {
            super(pd);
            this.to = to;
        }
    }

    DeviceOps(Context context) {
        this.context = context;
    }

    static VerbsException no(String verb, int errno, String why) {
        return new VerbsException(errno, verb, why);
    }

    static void lacking(String verb, Capability capability) {
        if (!Traits.has(capability)) {
            throw ContextOps.unsupported(verb);
        }
    }

    @Override
    public <T> T vendor(Class<T> type) {
        if (Fault.VENDOR_EINVAL.on()) {
            throw no("vendor", Errno.EINVAL, "there is no such type");
        }
        return null;
    }

    // ---- queries

    @Override
    public void queryDevice(DeviceAttr attr) {
        attr.physPortCnt(Traits.PORT_COUNT)
                .maxQp(10_000)
                .maxQpWr(MAX_WR)
                .maxSge(MAX_SGE)
                .maxCq(10_000)
                .maxCqe(MAX_CQE);
        attr.maxMr(10_000)
                .maxPd(Traits.MAX_PD)
                .maxSrq(Traits.has(Capability.SRQ) ? 100 : 0)
                .maxSrqWr(MAX_WR)
                .maxSrqSge(MAX_SGE);
        attr.deviceCaps(ModelWindows.capabilities() | EthernetOps.caps());
        attr.maxMrSize(Fault.NO_REGION_SIZE.on() ? 0 : 1L << 33);
    }

    static void port(String verb, int number) {
        if (number < 1 || number > Traits.PORT_COUNT) {
            throw no(verb, Errno.EINVAL, "the ports are 1 to " + Traits.PORT_COUNT);
        }
    }

    @Override
    public void queryPort(int portNum, PortAttr attr) {
        port("query_port", portNum);
        attr.state(Fault.PORT_DOWN.on() ? PortState.DOWN : PortState.ACTIVE).linkLayer(LinkLayer.ETHERNET);
        boolean nonsense = Fault.SECOND_PORT_MTU.on() && portNum == 2;
        attr.activeMtu(nonsense ? 0 : Mtu.MTU_1024)
                .maxMtu(Mtu.MTU_4096)
                .gidTblLen(1)
                .pkeyTblLen(1)
                .maxMsgSz(ModelSrd.LONGEST);
    }

    @Override
    public Gid queryGid(int portNum, int index) {
        port("query_gid", portNum);
        if (index != 0) {
            throw no("query_gid", Errno.EINVAL, "there is GID 0 only");
        }
        boolean other = Fault.CHANGING_GID.on() && domains == 0 && gidCalls++ % 2 == 1;
        if (other) {
            return Gid.of(1, 1);
        }
        return Fault.SECOND_PORT_NO_GID.on() && portNum == 2 ? Gid.ZERO : Fabric.GID;
    }

    @Override
    public int queryPkey(int portNum, int index) {
        port("query_pkey", portNum);
        boolean secondAny = Fault.SECOND_PORT_ANY_PKEY.on() && portNum == 2;
        if (index != 0 && !Fault.ANY_PKEY.on() && !secondAny) {
            throw no("query_pkey", Errno.EINVAL, "there is P_Key 0 only");
        }
        return 0xffff;
    }

    // ---- domains, memory, addresses

    @Override
    public ProtectionDomain allocPd() {
        if (domains - freedDomains == Traits.MAX_PD) {
            throw no("alloc_pd", Errno.ENOMEM, "there are " + Traits.MAX_PD + " domains");
        }
        domains++;
        if (Fault.OWN_NAMES.on()) {
            return new OwnNames(context);
        }
        if (Fault.OWN_INTERFACES.on()) {
            return new OwnInterfaces(context);
        }
        return Fault.OWN_STATICS.on() ? OwnStatics.of(context) : new Pd(context);
    }

    @Override
    public void deallocPd(ProtectionDomain pd) {
        freedDomains += pd instanceof ParentDomain ? 0 : 1;
    }

    @Override
    public MemoryRegion regMrBuffer(ProtectionDomain pd, ByteBuffer buffer, int access) {
        if (!Traits.hasRights(access)) {
            throw no("reg_mr", Errno.EOPNOTSUPP, "the model does not have all of these rights");
        }
        LaterMemory.judge(buffer, access);
        synchronized (Fabric.LOCK) {
            return (access & AccessFlags.ZERO_BASED) != 0 && !Fault.ZERO_IS_NOT_FIRST.on()
                    ? LaterMemory.zeroBased(pd, buffer, access)
                    : Fabric.register(pd, buffer, access);
        }
    }

    @Override
    public void deregMr(MemoryRegion mr) {
        synchronized (Fabric.LOCK) {
            if (mr instanceof LaterMemory.Key key) {
                LaterMemory.close(key);
                return;
            }
            Fabric.forget(mr.lkey());
        }
    }

    @Override
    public MemoryWindow allocMw(ProtectionDomain pd, int type) {
        if (!Traits.hasWindows(type)) {
            throw no("alloc_mw", Errno.EOPNOTSUPP, "the model has no windows of this type");
        }
        return new Fabric.Mw(pd, type, type == MwType.TYPE_2 ? ModelWindows.newKey() : 0);
    }

    @Override
    public void deallocMw(MemoryWindow mw) {
        synchronized (Fabric.LOCK) {
            if (mw.type() == MwType.TYPE_2) {
                ModelWindows.close((Fabric.Mw) mw);
            } else {
                Fabric.KEYS.remove(mw.rkey());
            }
        }
    }

    @Override
    public AddressHandle createAh(ProtectionDomain pd, AhAttr attr) {
        if (!Fault.AH_ANY_PORT.on()) {
            port("create_ah", attr.portNum());
        }
        ModelSrd.ways(pd, 1);
        return new Ah(pd, attr.grh().dgid());
    }

    @Override
    public void destroyAh(AddressHandle ah) {
        ModelSrd.ways(ah.pd(), -1);
    }

    // ---- multicast

    @Override
    public void attachMcast(QueuePair qp, Gid gid, int lid) {
        lacking("attach_mcast", Capability.MULTICAST);
        synchronized (Fabric.LOCK) {
            Fabric.attach(gid, ModelQp.of(qp));
        }
    }

    @Override
    public void detachMcast(QueuePair qp, Gid gid, int lid) {
        synchronized (Fabric.LOCK) {
            if (!Fault.STAYS_ATTACHED.on()) {
                Fabric.GROUPS.get(gid).remove(ModelQp.of(qp));
            }
        }
    }
}
