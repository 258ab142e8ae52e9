/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package witness;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.DeviceAttr;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.Mtu;
import io.verbs4j.PortAttr;
import io.verbs4j.PortState;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.VerbsException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The verbs of level 1. */
class WitnessOps implements ContextOps {
    final Context context;
    final Loop loop;
    private final List<Map<String, String>> seen = new ArrayList<>();

    WitnessOps(Context context, Loop loop) {
        this.context = context;
        this.loop = loop;
    }

    /**
     * The program asks for it by a type that both have: the attributes of each verb, in the order of the calls, and
     * the flags of the last request.
     */
    @Override
    public <T> T vendor(Class<T> type) {
        return type == List.class ? type.cast(seen) : type == Integer.class ? type.cast(loop.lastFlags) : null;
    }

    Map<String, String> see(String verb, Object attr) {
        Map<String, String> attributes = Mirror.of(attr);
        attributes.put("verb", verb);
        seen.add(attributes);
        return attributes;
    }

    static VerbsException cannot(String verb, String what) {
        return new VerbsException(Errno.EOPNOTSUPP, verb, "the witness does not know " + what);
    }

    /** Another object, with more of everything. */
    static QpCap given(QpCap asked) {
        return new QpCap()
                .maxSendWr(asked.maxSendWr() + 1)
                .maxRecvWr(asked.maxRecvWr() + 2)
                .maxSendSge(asked.maxSendSge() + 3)
                .maxRecvSge(asked.maxRecvSge() + 4)
                .maxInlineData(asked.maxInlineData() + 5);
    }

    static SrqAttr given(SrqAttr asked) {
        return new SrqAttr().maxWr(asked.maxWr() + 1).maxSge(asked.maxSge() + 2);
    }

    @Override
    public ProtectionDomain allocPd() {
        return new ProtectionDomain(context) {};
    }

    @Override
    public void deallocPd(ProtectionDomain pd) {}

    @Override
    public MemoryRegion regMrBuffer(ProtectionDomain pd, ByteBuffer buffer, int access) {
        access(access);
        return loop.region(pd, buffer, access);
    }

    @Override
    public MemoryRegion regMr(ProtectionDomain pd, long addr, long length, int access) {
        access(access);
        return loop.again(pd, addr, length, addr, access);
    }

    private void access(int access) {
        int unknown = access & ~(knownAccess() | AccessFlags.OPTIONAL_RANGE);
        if (unknown != 0) {
            throw cannot("reg_mr", "access 0x" + Integer.toHexString(unknown));
        }
    }

    int knownAccess() {
        return 0x1f;
    }

    @Override
    public void deregMr(MemoryRegion mr) {
        loop.forget(mr);
    }

    @Override
    public AddressHandle createAh(ProtectionDomain pd, AhAttr attr) {
        see("create_ah", attr);
        return new AddressHandle(pd) {};
    }

    @Override
    public void destroyAh(AddressHandle ah) {}

    @Override
    public CompletionQueue createCq(int cqe, Object userContext, CompletionChannel channel, int compVector) {
        return loop.cq(context, cqe + 1, userContext, channel);
    }

    @Override
    public CompletionQueue createCq(
            int cqe, Object userContext, CompletionChannel channel, int compVector, Object vendor) {
        see("create_cq", new QpCap()).put("vendor", "" + vendor);
        return createCq(cqe, userContext, channel, compVector);
    }

    @Override
    public void destroyCq(CompletionQueue cq) {}

    @Override
    public SharedReceiveQueue createSrq(ProtectionDomain pd, SrqInitAttr attr) {
        see("create_srq", attr);
        attr.attr(given(attr.attr()));
        return loop.srq(pd, attr);
    }

    @Override
    public void modifySrq(SharedReceiveQueue srq, SrqAttr attr, int attrMask) {
        see("modify_srq", attr).put("attrMask", "" + attrMask);
    }

    @Override
    public void querySrq(SharedReceiveQueue srq, SrqAttr attr) {
        Mirror.fill(attr, 300);
    }

    @Override
    public void destroySrq(SharedReceiveQueue srq) {
        loop.forget(srq);
    }

    @Override
    public QueuePair createQp(ProtectionDomain pd, QpInitAttr attr) {
        see("create_qp", attr).put("pd", "@" + System.identityHashCode(pd));
        type("create_qp", attr.qpType());
        attr.cap(given(attr.cap()));
        return loop.qp(pd, attr);
    }

    void type(String verb, int type) {
        if (type != QpType.RC) {
            throw cannot(verb, "type " + QpType.toString(type));
        }
    }

    @Override
    public void modifyQp(QueuePair qp, QpAttr attr, int attrMask) {
        if (attrMask >>> 21 != 0) {
            throw cannot("modify_qp", "mask 0x" + Integer.toHexString(attrMask));
        }
        see("modify_qp", attr).put("attrMask", "" + attrMask);
        loop.modify(qp, attr, attrMask);
    }

    @Override
    public void queryQp(QueuePair qp, QpAttr attr, int attrMask, QpInitAttr initAttr) {
        if (attrMask != QpAttrMask.STATE) {
            Mirror.fill(attr, 400);
            initAttr.qpType(qp.qpType()).sendCq(qp.sendCq()).recvCq(qp.recvCq()).srq(qp.srq());
            initAttr.userContext(qp.userContext()).cap(loop.cap(qp));
        }
        attr.qpState(loop.state(qp)); // what the library asks for too
    }

    @Override
    public void destroyQp(QueuePair qp) {
        loop.forget(qp);
    }

    @Override
    public int numCompVectors() {
        return 7;
    }

    @Override
    public void queryDevice(DeviceAttr attr) {
        Mirror.fill(attr, 100).physPortCnt(1);
    }

    @Override
    public void queryPort(int portNum, PortAttr attr) {
        Mirror.fill(attr, 200 + portNum).state(PortState.ACTIVE).activeMtu(Mtu.MTU_4096).gidTblLen(9);
    }

    @Override
    public Gid queryGid(int portNum, int index) {
        return Gid.of(0xfe80_0000_0000_0000L, (long) portNum << 8 | index);
    }

    @Override
    public int queryPkey(int portNum, int index) {
        return portNum << 8 | index;
    }
}
