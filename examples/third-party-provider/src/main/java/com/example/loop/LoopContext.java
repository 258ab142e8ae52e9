/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.loop;

import com.example.loopdv.LoopVerbs;
import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.DeviceAttr;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.LinkLayer;
import io.verbs4j.MemoryRegion;
import io.verbs4j.Mtu;
import io.verbs4j.PortAttr;
import io.verbs4j.PortState;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import java.nio.ByteBuffer;

/**
 * The control verbs of an open device. Those that are not here answer EOPNOTSUPP, by the defaults of
 * {@link ContextOps}; the same page says what the library has checked before it calls. What is left to check are the
 * device's own limits.
 */
final class LoopContext implements ContextOps {
    static final int MAX_WR = 1024;
    static final int MAX_SGE = 4;
    private static final int MAX_CQE = 65_536;
    private static final int MANY = 1 << 16;

    /** The rights that a region can have here. */
    private static final int RIGHTS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;
    /** The attributes of modify that this source knows: those of level 1. */
    private static final int KNOWN_ATTRIBUTES = (1 << 21) - 1;

    private final Context context;
    private final int maxQpWr;
    private final LoopVerbs vendor = qp -> Connection.of(qp).bytesSent();

    LoopContext(Context context, int maxQpWr) {
        this.context = context;
        this.maxQpWr = maxQpWr;
    }

    /** The device's own verbs. A type that is not known is not there. */
    @Override
    public <T> T vendor(Class<T> type) {
        return type == LoopVerbs.class ? type.cast(vendor) : null;
    }

    private static final class Domain extends ProtectionDomain {
        Domain(Context context) {
            super(context);
        }
    }

    @Override
    public void queryDevice(DeviceAttr attr) {
        attr.fwVer("none")
                .physPortCnt(1)
                .maxQp(MANY)
                .maxQpWr(maxQpWr)
                .maxSge(MAX_SGE)
                .maxCq(MANY)
                .maxCqe(MAX_CQE);
        attr.maxMr(MANY).maxPd(MANY).maxMrSize(Integer.MAX_VALUE).maxPkeys(1);
    }

    @Override
    public void queryPort(int portNum, PortAttr attr) {
        one("query_port", "port", 1, portNum);
        attr.state(PortState.ACTIVE).linkLayer(LinkLayer.ETHERNET).gidTblLen(1).pkeyTblLen(1);
        attr.activeMtu(Mtu.MTU_4096).maxMtu(Mtu.MTU_4096).maxMsgSz(Integer.MAX_VALUE);
    }

    @Override
    public Gid queryGid(int portNum, int index) {
        one("query_gid", "port", 1, portNum);
        one("query_gid", "GID index", 0, index);
        return Gid.of(0xfe80_0000_0000_0000L, 0x0200_00ff_fe00_0001L);
    }

    @Override
    public int queryPkey(int portNum, int index) {
        one("query_pkey", "port", 1, portNum);
        one("query_pkey", "P_Key index", 0, index);
        return 0xffff;
    }

    /** There is one of everything. */
    private static void one(String verb, String what, int there, int asked) {
        if (asked != there) {
            throw new VerbsException(Errno.EINVAL, verb, what + " " + asked + " does not exist; take " + there);
        }
    }

    /** What the device can't do, or its provider has never heard of, is not wrong: it is not there. */
    private static void lacks(String verb, String what, int bits) {
        if (bits != 0) {
            throw new VerbsException(Errno.EOPNOTSUPP, verb, "the device does not have all of these: " + what);
        }
    }

    private static void atMost(String verb, String what, int most, int asked) {
        if (asked > most) {
            throw new VerbsException(Errno.EINVAL, verb, what + " is " + asked + "; the device has " + most);
        }
    }

    @Override
    public ProtectionDomain allocPd() {
        return new Domain(context);
    }

    @Override
    public void deallocPd(ProtectionDomain pd) {
        // nothing hangs on it
    }

    @Override
    public MemoryRegion regMrBuffer(ProtectionDomain pd, ByteBuffer buffer, int access) {
        lacks("reg_mr", "rights " + AccessFlags.toString(access), access & ~(RIGHTS | AccessFlags.OPTIONAL_RANGE));
        return LoopMemory.register(pd, buffer, access);
    }

    @Override
    public void deregMr(MemoryRegion mr) {
        LoopMemory.forget(mr);
    }

    @Override
    public CompletionQueue createCq(int cqe, Object userContext, CompletionChannel channel, int compVector) {
        atMost("create_cq", "cqe", MAX_CQE, cqe);
        return new LoopCompletionQueue(context, cqe, userContext);
    }

    @Override
    public void destroyCq(CompletionQueue cq) {
        ((LoopCompletionQueue) cq).completions.destroy();
    }

    @Override
    public QueuePair createQp(ProtectionDomain pd, QpInitAttr attr) {
        if (attr.qpType() != QpType.RC) {
            throw new VerbsException(Errno.EOPNOTSUPP, "create_qp", "the device has queue pairs of type RC only");
        }
        if (attr.vendor() != null) {
            throw new VerbsException(Errno.EOPNOTSUPP, "create_qp", "the device has no attributes of its own for this");
        }
        atMost("create_qp", "maxSendWr", maxQpWr, attr.cap().maxSendWr());
        atMost("create_qp", "maxRecvWr", maxQpWr, attr.cap().maxRecvWr());
        atMost("create_qp", "maxSendSge", MAX_SGE, attr.cap().maxSendSge());
        atMost("create_qp", "maxRecvSge", MAX_SGE, attr.cap().maxRecvSge());
        attr.cap().maxInlineData(0); // what was given, not what was asked for
        return Connection.create(pd, attr);
    }

    @Override
    public void modifyQp(QueuePair qp, QpAttr attr, int attrMask) {
        // Everything is checked before anything changes: a modify that is refused leaves the queue pair as it was.
        lacks("modify_qp", "attributes " + QpAttrMask.toString(attrMask), attrMask & ~KNOWN_ATTRIBUTES);
        if ((attrMask & QpAttrMask.PORT) != 0) {
            one("modify_qp", "port", 1, attr.portNum());
        }
        if ((attrMask & QpAttrMask.PKEY_INDEX) != 0) {
            one("modify_qp", "P_Key index", 0, attr.pkeyIndex());
        }
        Connection.of(qp).modify(attr, attrMask);
    }

    @Override
    public void queryQp(QueuePair qp, QpAttr attr, int attrMask, QpInitAttr initAttr) {
        Connection.of(qp).tell(attr, initAttr);
    }

    @Override
    public void destroyQp(QueuePair qp) {
        Connection.of(qp).destroy();
    }
}
