/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.traffic;

import io.verbs4j.AddressHandle;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.TransportType;
import io.verbs4j.WcExFlags;
import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.device.Gaudi;
import io.verbs4j.tools.net.Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * One side of a connection: a protection domain, a memory region, a completion queue and a queue pair (with {@link
 * Service#SRQ} several, and a shared receive queue).
 *
 * <ol>
 * <li>{@link #create} creates all of these; the queue pairs are in INIT, so receives can be posted.
 * <li>Send {@link #local} to the peer, by any means.
 * <li>Call {@link #connect} with the peer's addresses; the queue pairs are then ready.
 * <li>Use {@link #postRecv}, {@link #postSend} and {@link #completions}.
 * </ol>
 */
public final class Endpoint implements AutoCloseable {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int PSN_BITS = 24;

    private EndpointOptions options;

    private final Opened opened = new Opened();

    private final List<QueuePair> queuePairs = new ArrayList<>();
    private final List<Address> local = new ArrayList<>();
    private List<Address> remote = List.of();
    private ProtectionDomain pd;
    private MemoryRegion memory;
    private SharedReceiveQueue srq;
    private AddressHandle peer;
    private Completions completions;
    private int inlineLimit;
    private int remoteQkey = QpSteps.QKEY;

    private final RecvWorkRequest recvRequest = new RecvWorkRequest();
    private final ScatterGatherElement recvElement = new ScatterGatherElement();
    private final ScatterGatherElement sendElement = new ScatterGatherElement();
    private final ScatterGatherElement[] recvElements = {recvElement};
    private final ScatterGatherElement[] sendElements = {sendElement};

    private Endpoint(EndpointOptions options) {
        this.options = options;
    }

    /**
     * Creates an endpoint on an open device.
     *
     * @param context the device; stays open when the endpoint is closed
     * @param buffer direct buffer that holds all messages, sent and received
     * @param options options of the endpoint
     */
    public static Endpoint create(Context context, ByteBuffer buffer, EndpointOptions options) {
        Endpoint endpoint = new Endpoint(options);
        try {
            endpoint.open(context, buffer);
            return endpoint;
        } catch (RuntimeException e) {
            endpoint.close();
            throw e;
        }
    }

    private void open(Context context, ByteBuffer buffer) {
        pd = opened.keep(context.allocPd());
        memory = opened.keep(pd.regMr(buffer, options.access()));
        CompletionChannel channel = options.events() ? opened.keep(context.createCompChannel()) : null;
        int entries = options.queuePairs() * options.sendDepth() + options.recvDepth();
        CompletionQueue cq = opened.keep(
                options.timestamps()
                        ? timed(context, entries, channel)
                        : Gaudi.createCq(context, options.port(), entries, channel));
        completions = new Completions(cq);
        if (options.service() == Service.SRQ) {
            SrqAttr size = new SrqAttr().maxWr(options.recvDepth()).maxSge(1);
            srq = opened.keep(pd.createSrq(new SrqInitAttr().attr(size)));
        }
        int lid = context.queryPort(options.port()).lid();
        Gid gid = options.gidIndex() < 0 ? Gid.ZERO : gid(context);
        for (int i = 0; i < options.queuePairs(); i++) {
            QueuePair qp = createQueuePair(context, cq);
            qp.modify(QpSteps.init(options));
            queuePairs.add(qp);
            local.add(new Address(lid, qp.qpNum(), RANDOM.nextInt(1 << PSN_BITS), gid));
        }
    }

    private static CompletionQueue timed(Context context, int entries, CompletionChannel channel) {
        return context.createCqEx(new CqInitAttrEx()
                .cqe(entries)
                .channel(channel)
                .wcFlags(WcExFlags.STANDARD | WcExFlags.COMPLETION_TIMESTAMP));
    }

    private Gid gid(Context context) {
        Gid gid = context.queryGid(options.port(), options.gidIndex());
        if (gid.equals(Gid.ZERO)) {
            throw ToolException.notAvailable(
                    "entry " + options.gidIndex() + " of the GID table of port " + options.port() + " of "
                            + context.device() + " is empty: choose another with -g; 'verbs info -v' shows them");
        }
        return gid;
    }

    private QueuePair createQueuePair(Context context, CompletionQueue cq) {
        QpCap cap = new QpCap().maxSendWr(options.sendDepth()).maxSendSge(1);
        int receives = options.recvDepth();
        if (context.device().transportType() == TransportType.IWARP) {
            receives = Math.max(1, receives); // siw refuses queue pairs without receives
        }
        if (srq == null && receives > 0) {
            cap.maxRecvWr(receives).maxRecvSge(1);
        }
        QpInitAttr init = new QpInitAttr()
                .qpType(options.service().qpType())
                .sendCq(cq)
                .recvCq(cq)
                .srq(srq)
                .cap(cap);
        QueuePair qp = opened.keep(pd.createQp(init));
        inlineLimit = init.cap().maxInlineData(); // as granted by the device
        return qp;
    }

    /** {@return what the peer must know: an address for each queue pair} */
    public List<Address> local() {
        return List.copyOf(local);
    }

    /** {@return the peer's addresses; empty before {@link #connect}} */
    public List<Address> remote() {
        return remote;
    }

    /**
     * Makes the queue pairs ready to receive and send, with limits that both sides agreed on.
     *
     * @param addresses the peer's {@link #local}
     * @param mtu path MTU in bytes
     * @param readDepth RDMA reads and atomics outstanding, in each direction
     */
    public void connect(List<Address> addresses, int mtu, int readDepth) {
        options = options.with(mtu, readDepth);
        connect(addresses);
    }

    /**
     * Makes the queue pairs ready to receive and send.
     *
     * @param addresses the peer's {@link #local}
     */
    public void connect(List<Address> addresses) {
        remote = List.copyOf(addresses);
        for (int i = 0; i < queuePairs.size(); i++) {
            queuePairs.get(i).modify(QpSteps.readyToReceive(options, remote.get(i)));
            queuePairs.get(i).modify(QpSteps.readyToSend(options, local.get(i)));
        }
        if (!options.service().isConnected()) {
            peer = opened.keep(pd.createAh(QpSteps.path(options, remote.get(0))));
        }
    }

    /** {@return whether messages are datagrams, each with its own destination} */
    public boolean isDatagrams() {
        return options.service() == Service.UD;
    }

    /** {@return RDMA reads and atomics outstanding, in each direction} */
    public int readDepth() {
        return options.readDepth();
    }

    /** {@return a queue pair, from 0, for a connection manager to connect; it then calls {@link #connected}} */
    public QueuePair queuePair(int index) {
        return queuePairs.get(index);
    }

    /** Records that a connection manager has connected a queue pair with these attributes, from this side's GID. */
    public void connected(int index, Gid from, QpAttr rtr, QpAttr rts) {
        met(
                index,
                new Address(0, queuePairs.get(index).qpNum(), rts.sqPsn(), from),
                new Address(0, rtr.destQpNum(), rtr.rqPsn(), rtr.ahAttr().grh().dgid()));
    }

    /**
     * Records that a connection manager has connected a queue pair of an iWARP device, which needs neither the peer's
     * number nor PSNs.
     */
    public void connected(int index, InetAddress from, InetAddress to) {
        met(index, new Address(0, queuePairs.get(index).qpNum(), 0, Gid.of(from)), new Address(0, 0, 0, Gid.of(to)));
    }

    /**
     * Makes the queue pair ready for datagrams with the attributes of a connection manager, which uses its own Q_Key.
     */
    public void toDatagrams(QpAttr... steps) {
        for (QpAttr step : steps) {
            queuePairs.get(0).modify(step);
        }
    }

    /** Records where datagrams go, as found by a connection manager. */
    public void reaches(Gid from, AhAttr path, Address there, int qkey) {
        met(0, new Address(0, local.get(0).qpn(), local.get(0).psn(), from), there);
        remoteQkey = qkey;
        peer = opened.keep(pd.createAh(path));
    }

    private void met(int index, Address self, Address there) {
        List<Address> all = new ArrayList<>(remote);
        all.add(there);
        local.set(index, self);
        remote = List.copyOf(all);
    }

    /**
     * Posts a receive.
     *
     * @param id id of the completion
     * @param offset where the message goes: bytes from the start of the buffer
     * @param length room for the message, including the {@linkplain Service#headroom() headroom}
     */
    public void postRecv(long id, long offset, int length) {
        fill(recvElement, offset, length);
        recvRequest.wrId(id).sgList(recvElements, 1);
        QueuePair first = queuePairs.get(0);
        int errno = srq != null ? srq.postRecv(recvRequest) : first.postRecv(recvRequest);
        if (errno != 0) {
            throw Failures.ofPost(
                    "receive", errno, srq != null ? srq.explain(recvRequest) : first.explain(recvRequest));
        }
    }

    /**
     * Posts a send, RDMA or atomic operation.
     *
     * @param queuePair which queue pair, from 0
     * @param request the request; the caller sets its id, opcode and remote fields, this method the rest
     * @param offset where the data is or goes: bytes from the start of the buffer
     * @param length number of bytes
     */
    public void postSend(int queuePair, SendWorkRequest request, long offset, int length) {
        fill(sendElement, offset, length);
        boolean inline = length <= inlineLimit && Operations.canInline(request.opcode());
        request.sgList(sendElements, 1).sendFlags(SendFlags.SIGNALED | (inline ? SendFlags.INLINE : 0));
        if (peer != null) {
            request.ah(peer).remoteQpn(remote.get(queuePair).qpn()).remoteQkey(remoteQkey);
        }
        QueuePair qp = queuePairs.get(queuePair);
        int errno = qp.postSend(request);
        if (errno != 0) {
            throw Failures.ofPost("send", errno, qp.explain(request));
        }
    }

    private void fill(ScatterGatherElement element, long offset, int length) {
        element.addr(memory.addr() + offset).length(length).lkey(memory.lkey());
    }

    /** {@return the poller of the completion queue} */
    public Completions completions() {
        return completions;
    }

    /**
     * Finds a queue pair by its number.
     *
     * @return its index, from 0
     */
    public int indexOf(int qpNum) {
        for (int i = 0; i < queuePairs.size(); i++) {
            if (queuePairs.get(i).qpNum() == qpNum) {
                return i;
            }
        }
        throw new IllegalStateException("completion of a queue pair that is not ours: " + qpNum);
    }

    /** {@return the memory region that holds all messages} */
    public MemoryRegion memory() {
        return memory;
    }

    @Override
    public void close() {
        opened.close();
    }
}
