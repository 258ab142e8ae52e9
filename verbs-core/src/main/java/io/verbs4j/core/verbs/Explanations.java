/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.ContextOps;
import io.verbs4j.Errno;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.VerbsException;
import io.verbs4j.WrOpcode;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/**
 * Explains the errno of a data verb. The rules are those that hold for every device; the provider explains its own.
 * Queries state and capacities of the device, so it is not for the hot path.
 */
final class Explanations {
    /** A list longer than any queue must be cyclic. */
    private static final int LONGEST_LIST = 1 << 16;

    private final ProviderSide side;
    private final Handles handles;

    Explanations(ProviderSide side, Handles handles) {
        this.side = side;
        this.handles = handles;
    }

    String send(QueuePair qp, SendWorkRequest first) {
        String verb = "explain_send";
        ObjectState state = handles.findQp(verb, qp);
        if (!state.isOpen()) {
            return closed(state);
        }
        if (first == null) {
            return absent();
        }
        QpAttr now = present(verb, state, qp);
        String unready = sendable(qp, now);
        return unready != null
                ? unready
                : firstWrong(first, SendWorkRequest::next, SendWorkRequest::wrId, wr -> ofRequest(verb, qp, now, wr));
    }

    /** Describes the first faulty request of a list; null if there is none. */
    private static <W> String firstWrong(
            W first, UnaryOperator<W> next, ToLongFunction<W> wrId, Function<W, String> judge) {
        int index = 0;
        for (W wr = first; wr != null; wr = next.apply(wr), index++) {
            String wrong = index == LONGEST_LIST ? endless() : judge.apply(wr);
            if (wrong != null) {
                return at(next.apply(first) != null, index, wrId.applyAsLong(wr)) + wrong;
            }
        }
        return null;
    }

    private String ofRequest(String verb, QueuePair qp, QpAttr now, SendWorkRequest wr) {
        ScatterGatherElement[] list = wr.sgList();
        String wrong = SendRules.operation(qp.qpType(), wr.opcode());
        if (wrong == null && SendRules.isRare(wr.opcode()) && SendRules.namesItsQueue(wr)) {
            wrong = ofUnjudged(verb, qp, wr); // a post reports first that the device lacks it
        }
        QpCap cap = SendRules.hasListOfItsOwn(wr.opcode()) ? null : now.cap();
        wrong = wrong != null ? wrong : list(list, wr.numSge(), cap, QpCap::maxSendSge, "cap.maxSendSge");
        wrong = wrong != null ? wrong : data(now, wr, total(list, wr.numSge()));
        wrong = wrong != null ? wrong : address(qp, wr);
        return wrong != null ? wrong : side.call(verb, p -> p.explainSend(qp, wr));
    }

    /**
     * The provider's explanation of a request that was not checked yet. The provider may rely on correct list lengths,
     * so an exception is no answer: the rules that follow find the fault.
     */
    private String ofUnjudged(String verb, QueuePair qp, SendWorkRequest wr) {
        try {
            return side.call(verb, p -> p.explainSend(qp, wr));
        } catch (VerbsException e) {
            return null;
        }
    }

    String recv(QueuePair qp, RecvWorkRequest first) {
        String verb = "explain_recv";
        ObjectState state = handles.findQp(verb, qp);
        if (!state.isOpen()) {
            return closed(state);
        }
        if (qp.srq() != null) {
            return "the queue pair receives through a shared receive queue; post to its srq()";
        }
        QpAttr now = present(verb, state, qp);
        if (QpChecks.knows(qp.qpType()) && now.qpState() == QpState.RESET) {
            return "the queue pair is in state RESET, where nothing can be received; modify it to INIT first";
        }
        return receives(verb, first, now.cap(), (p, wr) -> p.explainRecv(qp, wr));
    }

    String srqRecv(SharedReceiveQueue srq, RecvWorkRequest first) {
        String verb = "explain_srq_recv";
        ObjectState state = handles.find(verb, "srq", srq);
        return state.isOpen() ? receives(verb, first, null, (p, wr) -> p.explainSrqRecv(srq, wr)) : closed(state);
    }

    private String receives(
            String verb, RecvWorkRequest first, QpCap cap, BiFunction<ContextOps, RecvWorkRequest, String> own) {
        return first == null
                ? absent()
                : firstWrong(first, RecvWorkRequest::next, RecvWorkRequest::wrId, wr -> ofReceive(verb, cap, wr, own));
    }

    private String ofReceive(
            String verb, QpCap cap, RecvWorkRequest wr, BiFunction<ContextOps, RecvWorkRequest, String> own) {
        String wrong = list(wr.sgList(), wr.numSge(), cap, QpCap::maxRecvSge, "cap.maxRecvSge");
        return wrong != null ? wrong : side.call(verb, p -> own.apply(p, wr));
    }

    /** Queries state and capacities; without capacities if the provider cannot report them. */
    private QpAttr present(String verb, ObjectState state, QueuePair qp) {
        QpAttr answer = new QpAttr();
        int mask = QpAttrMask.STATE | QpAttrMask.CAP;
        state.enter(verb);
        try {
            side.ops().queryQp(qp, answer, mask, new QpInitAttr());
        } catch (Throwable t) {
            VerbsException failed = side.failed(verb, t);
            if (failed.errno() != Errno.EOPNOTSUPP) {
                throw failed;
            }
            answer.qpState(QpState.RTS).clearMask();
        } finally {
            state.leave();
        }
        return answer;
    }

    private static String sendable(QueuePair qp, QpAttr now) {
        if (qp.qpType() == QpType.XRC_RECV) {
            return "a queue pair of type XRC_RECV has no send queue; post to one of type XRC_SEND";
        }
        if (QpChecks.knows(qp.qpType()) && now.qpState() < QpState.RTS) {
            return "the queue pair is in state " + QpState.toString(now.qpState())
                    + ", where nothing can be sent; modify it to RTS first";
        }
        return null;
    }

    private interface Capacity {
        int of(QpCap cap);
    }

    private static String list(ScatterGatherElement[] list, int count, QpCap cap, Capacity capacity, String name) {
        int length = list == null ? 0 : list.length;
        if (count < 0 || count > length) {
            return "numSge is " + count + ", but sgList has " + length + " elements";
        }
        if (cap != null && count > capacity.of(cap) && capacity.of(cap) > 0) {
            return "numSge is " + count + ", but the queue pair was created for " + capacity.of(cap)
                    + "; request more with " + name;
        }
        for (int i = 0; i < count; i++) {
            if (list[i] == null) {
                return "sgList[" + i + "] is null; set it, or lower numSge";
            }
            if (list[i].length() < 0) {
                return "sgList[" + i + "].length is " + list[i].length() + "; it must be at least 0";
            }
        }
        return null;
    }

    private static long total(ScatterGatherElement[] list, int count) {
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += list[i].length();
        }
        return bytes;
    }

    private static String data(QpAttr now, SendWorkRequest wr, long bytes) {
        boolean inline = (wr.sendFlags() & SendFlags.INLINE) != 0;
        String own = SendRules.attributes(wr, bytes);
        if (own != null) {
            return own;
        }
        int maxInline = now.cap() == null ? 0 : now.cap().maxInlineData();
        if (inline && bytes > maxInline) {
            return bytes + " bytes are INLINE, but the queue pair was created for " + maxInline
                    + "; request more with cap.maxInlineData, or leave the flag out";
        }
        return null;
    }

    private static String address(QueuePair qp, SendWorkRequest wr) {
        if (qp.qpType() != QpType.UD || wr.opcode() != WrOpcode.SEND && wr.opcode() != WrOpcode.SEND_WITH_IMM) {
            return null;
        }
        if (wr.ah() == null) {
            return "ah is null; a datagram needs an address handle";
        }
        ObjectState ah = LibraryContext.Records.of(wr.ah());
        if (ah != null && !ah.isOpen()) {
            return closed(ah);
        }
        return wr.ah().pd().base() == qp.pd().base()
                ? null
                : "ah belongs to another protection domain than the queue pair; create it from the queue pair's pd()";
    }

    private static String at(boolean ofList, int index, long wrId) {
        return ofList ? "request " + index + " of the list (wrId " + wrId + "): " : "";
    }

    private static String closed(ObjectState state) {
        return state + " is closed; use an open one";
    }

    private static String absent() {
        return "the work request is null; pass one";
    }

    private static String endless() {
        return "the list does not end: more than " + LONGEST_LIST + " requests are linked by next()";
    }
}
