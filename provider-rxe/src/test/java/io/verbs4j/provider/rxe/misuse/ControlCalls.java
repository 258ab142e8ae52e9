/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.misuse;

import io.verbs4j.AhAttr;
import io.verbs4j.AsyncEvent;
import io.verbs4j.CompCntrInitAttr;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionCounter;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Device;
import io.verbs4j.Ece;
import io.verbs4j.ExportedFd;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ModifyCqAttr;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.MwType;
import io.verbs4j.OpenAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpRateLimitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpStateTable;
import io.verbs4j.QpType;
import io.verbs4j.QueryDeviceExInput;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqType;
import io.verbs4j.VerbsLevel;
import io.verbs4j.VerbsObject;
import io.verbs4j.WcFlags;
import io.verbs4j.WorkCompletion;
import io.verbs4j.core.Verbs;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** The control verbs, each with random arguments. */
final class ControlCalls {
    private static final TimeUnit[] UNITS = TimeUnit.values();

    /** A device that no provider has returned. */
    private static final Device FAKE = new Device("nothing", 1, 1, 0) {};

    private final Caller c;
    private final Pool pool;
    private final Values v;
    private final SplittableRandom random;
    private final GuardedMemory memory;
    private final List<Device> devices;

    ControlCalls(Caller c, GuardedMemory memory, List<Device> devices) {
        this.c = c;
        this.pool = c.pool;
        this.v = c.values;
        this.random = c.random;
        this.memory = memory;
        this.devices = devices;
    }

    // ---- devices

    void open() {
        if (pool.contexts.isFull()) {
            closeOne(pool.contexts);
            return;
        }
        Device device = devices.get(random.nextInt(devices.size()));
        Device given = c.chance(10) ? null : c.chance(10) ? FAKE : device;
        int level = c.chance(10) ? v.number() : VerbsLevel.CURRENT;
        // An absurdly high level stands for a too old header, which no machine can have here.
        int asked = Math.min(level, VerbsLevel.CURRENT);
        c.keep(
                pool.contexts,
                c.call("open_device", given != device || asked < 1, () -> Verbs.open(given, asked), given, asked));
    }

    void query() {
        Context context = pool.contexts.some(random);
        if (context == null) {
            return;
        }
        boolean dead = pool.contexts.isDead(context);
        int port = c.chance(2) ? 1 : v.number();
        int index = v.small(3);
        switch (random.nextInt(5)) {
            case 0 -> c.call("num_comp_vectors", dead, context::numCompVectors, context);
            case 1 -> c.call("query_device", dead, context::queryDevice, context);
            case 2 -> c.call("query_port", dead || port != 1, () -> context.queryPort(port), context, port);
            case 3 -> c.call("query_gid", dead || port != 1, () -> context.queryGid(port, index), context, port, index);
            default ->
                c.call(
                        "query_pkey",
                        dead || port != 1 || index != 0,
                        () -> context.queryPkey(port, index),
                        context,
                        port,
                        index);
        }
    }

    void asyncEvent() {
        Context context = pool.contexts.some(random);
        if (context == null) {
            return;
        }
        c.mayWait = true;
        long timeout = c.chance(3) ? random.nextInt(3) : 0;
        TimeUnit unit =
                c.chance(40) ? null : c.chance(10) ? UNITS[random.nextInt(UNITS.length)] : TimeUnit.MILLISECONDS;
        AsyncEvent event = c.chance(10)
                ? c.call("get_async_event", pool.contexts.isDead(context), context::getAsyncEvent, context)
                : c.call("get_async_event", false, () -> context.getAsyncEvent(timeout, unit), context, timeout, unit);
        if (event != null) {
            pool.asyncEvents.add(event);
        }
    }

    void ackAsyncEvent() {
        AsyncEvent event = pool.asyncEvents.poll();
        if (event == null) {
            return;
        }
        c.run("ack_async_event", false, event::ack, event);
        if (c.chance(10)) {
            // Refused, unless another thread has closed the object of the event: then nobody needs the event.
            c.run("ack_async_event", false, event::ack, event);
        }
    }

    // ---- domains and memory

    void allocPd() {
        Context context = pool.contexts.some(random);
        if (context == null) {
            open();
            return;
        }
        if (pool.pds.isFull()) {
            closeOne(pool.pds);
            return;
        }
        c.keep(pool.pds, c.call("alloc_pd", pool.contexts.isDead(context), context::allocPd, context));
    }

    /** Imports a context, a domain or a region, mostly from a context that shares its objects. */
    void share() {
        switch (random.nextInt(4)) {
            case 0 -> importContext();
            case 1 -> importPd();
            default -> importMr();
        }
    }

    private void importContext() {
        Context context = pool.contexts.some(random);
        if (context == null) {
            return;
        }
        if (pool.contexts.isFull()) {
            closeOne(pool.contexts);
            return;
        }
        boolean dead = pool.contexts.isDead(context);
        try (ExportedFd fd = c.call("export_device", dead, context::exportDevice, context)) {
            if (fd != null) {
                int number = c.chance(10) ? v.number() : fd.fd();
                OpenAttr attr = new OpenAttr().importFd(number);
                c.keep(
                        pool.contexts,
                        c.call(
                                "import_device",
                                number < 0,
                                () -> Verbs.open(context.device(), VerbsLevel.CURRENT, attr),
                                context,
                                number));
            }
        }
    }

    private void importPd() {
        ProtectionDomain pd = pool.pds.some(random);
        if (pd == null) {
            return;
        }
        if (pool.pds.isFull()) {
            c.close(pool.pds, pool.pds.some(random, ProtectionDomain::isImported));
            return;
        }
        Context context = c.chance(3) ? pd.context() : pool.contexts.some(random);
        Integer number = c.call("export_handle", pool.pds.isDead(pd), pd::exportHandle, pd);
        if (number != null && context != null) {
            int handle = c.chance(10) ? v.number() : number;
            boolean dead = pool.contexts.isDead(context) || handle == 0;
            c.keep(pool.pds, c.call("import_pd", dead, () -> context.importPd(handle), context, handle));
        }
    }

    private void importMr() {
        MemoryRegion mr = pool.mrs.some(random);
        if (mr == null || pool.mrs.isFull()) {
            return;
        }
        ProtectionDomain pd = c.chance(2) ? mr.pd() : pool.pds.some(random);
        Integer number = c.call("export_handle", pool.mrs.isDead(mr), mr::exportHandle, mr);
        if (number != null && pd != null) {
            int handle = c.chance(10) ? v.number() : number;
            boolean dead = pool.pds.isDead(pd) || handle == 0;
            c.keep(pool.mrs, c.call("import_mr", dead, () -> pd.importMr(handle), pd, handle));
        }
    }

    /** Makes a counter, attaches one, or uses one. */
    void count() {
        Context context = pool.contexts.some(random);
        CompletionCounter counter = pool.counters.some(random);
        if (context == null || random.nextInt(3) == 0) {
            if (context != null) {
                c.call("query_comp_cntr_caps", pool.contexts.isDead(context), context::queryCompCntrCaps, context);
            }
            return;
        }
        if (counter == null || random.nextInt(3) == 0) {
            if (pool.counters.isFull()) {
                closeOne(pool.counters);
                return;
            }
            int type = c.chance(10) ? v.number() : random.nextInt(2);
            boolean wrong = pool.contexts.isDead(context) || type < 0 || type > 1;
            CompCntrInitAttr attr = new CompCntrInitAttr().type(type);
            c.keep(pool.counters, c.call("create_comp_cntr", wrong, () -> context.createCompCntr(attr), context, type));
            return;
        }
        boolean dead = pool.counters.isDead(counter);
        QueuePair qp = pool.qps.some(random);
        if (qp != null && c.chance(2)) {
            int ops = c.chance(8) ? v.number() : random.nextInt(64);
            boolean wrong = dead || pool.qps.isDead(qp) || ops == 0 || (ops & ~63) != 0;
            c.run("qp_attach_comp_cntr", wrong, () -> qp.attachCompCntr(counter, ops), qp, counter, ops);
            return;
        }
        c.call("read_comp_cntr", false, counter::read, counter);
        c.run("inc_comp_cntr", false, () -> counter.inc(1), counter);
    }

    void regMr() {
        ProtectionDomain pd = pool.pds.some(random);
        if (pd == null) {
            allocPd();
            return;
        }
        if (pool.mrs.isFull()) {
            closeOne(pool.mrs);
            return;
        }
        boolean dead = pool.pds.isDead(pd);
        int access = v.access();
        if (c.chance(6) && !DevicesUnderTest.areNative()) {
            int entries = c.chance(8) ? v.number() : 1 + random.nextInt(8);
            c.keep(
                    pool.mrs,
                    c.call(
                            "alloc_mr_key",
                            dead || entries < 1 || entries > 512,
                            () -> pd.allocMrKey(new MrKeyInitAttr().maxEntries(entries)),
                            pd,
                            entries));
            return;
        }
        ByteBuffer part = memory.part(random);
        if (c.chance(8)) {
            boolean real = c.chance(2);
            long addr = real ? GuardedMemory.address(part) : v.address();
            long length = c.chance(4) ? v.number() : part.remaining();
            // Real memory is registered with its own length, or with a length that no machine has.
            long checked = real && length > part.remaining() ? 1L << 46 : length;
            c.keep(
                    pool.mrs,
                    c.call(
                            "reg_mr",
                            dead || !real || checked <= 0 || checked > part.remaining(),
                            () -> pd.regMr(addr, checked, access),
                            pd,
                            Long.toHexString(addr),
                            checked,
                            access));
            return;
        }
        ByteBuffer buffer = switch (random.nextInt(30)) {
            case 0 -> null;
            case 1 -> ByteBuffer.allocate(64);
            case 2 -> part.limit(part.position());
            case 3 -> part.asReadOnlyBuffer();
            default -> part;
        };
        boolean useless = buffer == null || !buffer.isDirect() || !buffer.hasRemaining();
        c.keep(pool.mrs, c.call("reg_mr", dead || useless, () -> pd.regMr(buffer, access), pd, buffer, access));
    }

    void reregMr() {
        MemoryRegion mr = pool.mrs.some(random);
        if (mr == null) {
            return;
        }
        ProtectionDomain pd = pool.pds.any(random);
        int flags = v.small(8);
        int access = v.access();
        ByteBuffer part = memory.part(random);
        boolean real = !c.chance(4);
        long addr = real ? GuardedMemory.address(part) : v.address();
        long length = part.remaining();
        boolean dead = pool.mrs.isDead(mr)
                || (flags & ~7) != 0
                || (flags & 1) != 0 && !real
                || (flags & 2) != 0 && pool.pds.isDead(pd);
        c.run("rereg_mr", dead, () -> mr.rereg(flags, pd, addr, length, access), mr, flags, pd, addr, length, access);
    }

    void allocMw() {
        ProtectionDomain pd = pool.pds.some(random);
        if (pd == null) {
            allocPd();
            return;
        }
        if (pool.mws.isFull()) {
            closeOne(pool.mws);
            return;
        }
        int type = c.chance(10) ? v.number() : c.chance(2) ? MwType.TYPE_1 : MwType.TYPE_2;
        if (type == MwType.TYPE_2 && DevicesUnderTest.areNative()) {
            return; // the kernel's device has them, but crashes when a free one is invalidated
        }
        boolean dead = pool.pds.isDead(pd) || type != MwType.TYPE_1 && type != MwType.TYPE_2;
        c.keep(pool.mws, c.call("alloc_mw", dead, () -> pd.allocMw(type), pd, type));
    }

    // ---- address handles

    void createAh() {
        ProtectionDomain pd = pool.pds.some(random);
        if (pd == null) {
            allocPd();
            return;
        }
        if (pool.ahs.isFull()) {
            closeOne(pool.ahs);
            return;
        }
        boolean dead = pool.pds.isDead(pd);
        if (c.chance(5)) {
            createAhFromWc(pd, dead);
            return;
        }
        AhAttr path = v.path();
        c.keep(pool.ahs, c.call("create_ah", dead || path == null, () -> pd.createAh(path), pd, path));
    }

    private void createAhFromWc(ProtectionDomain pd, boolean dead) {
        WorkCompletion wc = c.chance(10) ? null : new WorkCompletion().wcFlags(c.chance(4) ? 0 : WcFlags.GRH);
        ByteBuffer grh = c.chance(10) ? null : memory.part(random);
        if (grh != null && grh.remaining() >= 40) {
            grh = ByteBuffer.allocate(40)
                    .put(20, (byte) (c.chance(4) ? random.nextInt() : 0x45))
                    .put(0, (byte) (c.chance(4) ? 0x60 : 0))
                    .putLong(
                            32,
                            pool.gids.get(0).interfaceId() << 32
                                    | pool.gids.get(0).interfaceId() & 0xffffffffL);
        }
        ByteBuffer buffer = grh;
        int port = c.chance(10) ? v.number() : 1;
        if (c.chance(2)) {
            c.keep(
                    pool.ahs,
                    c.call(
                            "create_ah_from_wc",
                            dead || wc == null,
                            () -> pd.createAhFromWc(wc, buffer, port),
                            pd,
                            wc,
                            buffer,
                            port));
        } else {
            Context context = pd.context();
            c.call(
                    "init_ah_from_wc",
                    wc == null,
                    () -> context.initAhFromWc(port, wc, buffer),
                    context,
                    port,
                    wc,
                    buffer);
        }
    }

    // ---- completions

    void createChannel() {
        Context context = pool.contexts.some(random);
        if (context == null) {
            open();
            return;
        }
        if (pool.channels.isFull()) {
            closeOne(pool.channels);
            return;
        }
        boolean dead = pool.contexts.isDead(context);
        c.keep(pool.channels, c.call("create_comp_channel", dead, context::createCompChannel, context));
    }

    void createCq() {
        Context context = pool.contexts.some(random);
        if (context == null) {
            open();
            return;
        }
        if (pool.cqs.isFull()) {
            closeOne(pool.cqs);
            return;
        }
        CompletionChannel channel = c.chance(4) ? null : pool.channels.any(random, ch -> ch.context() == context);
        int cqe = v.capacity();
        int vector = c.chance(20) ? v.number() : 0;
        boolean dead = pool.contexts.isDead(context)
                || channel != null && pool.channels.isDead(channel)
                || cqe < 1
                || vector < 0
                || vector != 0 && !DevicesUnderTest.areNative();
        c.keep(
                pool.cqs,
                c.call(
                        "create_cq",
                        dead,
                        () -> context.createCq(cqe, this, channel, vector),
                        context,
                        cqe,
                        channel,
                        vector));
    }

    void createCqEx() {
        Context context = pool.contexts.some(random);
        if (context == null || pool.cqs.isFull()) {
            return;
        }
        CompletionChannel channel = c.chance(4) ? null : pool.channels.any(random, ch -> ch.context() == context);
        CqInitAttrEx attr = new CqInitAttrEx()
                .cqe(v.capacity())
                .channel(channel)
                .compVector(c.chance(20) ? v.number() : 0)
                .wcFlags(c.chance(10) ? v.number() : random.nextInt(256) | random.nextInt(2) << 11);
        if (c.chance(2)) {
            attr.flags(c.chance(10) ? v.number() : random.nextInt(2) << 1); // not for one thread alone
        }
        if (c.chance(40)) {
            attr.masks(v.number(), 0);
        }
        CqInitAttrEx given = c.chance(60) ? null : attr;
        boolean dead = given == null
                || pool.contexts.isDead(context)
                || channel != null && pool.channels.isDead(channel)
                || attr.cqe() < 1
                || attr.compVector() < 0;
        c.keep(pool.cqs, c.call("create_cq_ex", dead, () -> context.createCqEx(given), context, given, channel));
    }

    void modifyCq() {
        CompletionQueue cq = pool.cqs.some(random);
        if (cq != null) {
            ModifyCqAttr attr = c.chance(20) ? new ModifyCqAttr() : new ModifyCqAttr().cqCount(v.small(20));
            if (c.chance(2)) {
                attr.cqPeriod(v.small(3000));
            }
            ModifyCqAttr given = c.chance(60) ? null : attr;
            boolean dead = pool.cqs.isDead(cq) || given == null || attr.cqCount() < 0 || attr.cqPeriod() < 0;
            c.run("modify_cq", dead, () -> cq.modify(given), cq, attr.cqCount(), attr.cqPeriod());
        }
    }

    void queryEx() {
        Context context = pool.contexts.some(random);
        if (context == null) {
            return;
        }
        boolean dead = pool.contexts.isDead(context);
        int port = c.chance(2) ? 1 : v.number();
        int index = v.small(3);
        long wanted = v.small(8);
        QueryDeviceExInput input = c.chance(20) ? null : new QueryDeviceExInput();
        switch (random.nextInt(4)) {
            case 0 -> c.call("query_values", dead || wanted == 0, () -> context.queryValues(wanted), context, wanted);
            case 1 -> c.call("query_device_ex", dead || input == null, () -> context.queryDeviceEx(input), context);
            case 2 ->
                c.call("query_gid_ex", dead || port != 1, () -> context.queryGidEx(port, index), context, port, index);
            default -> c.call("query_gid_table", dead, context::queryGidTable, context);
        }
    }

    void rateAndOrder() {
        QueuePair qp = pool.qps.some(random);
        if (qp == null) {
            return;
        }
        boolean dead = pool.qps.isDead(qp);
        if (c.chance(3)) {
            int opcode = v.small(8);
            int flags = v.small(4);
            c.call("query_qp_data_in_order", dead, () -> qp.queryDataInOrder(opcode, flags), qp, opcode, flags);
            return;
        }
        if (c.chance(6)) {
            Ece ece = c.chance(20) ? null : new Ece().vendorId(v.small(2)).options(v.number());
            c.run("set_ece", dead || ece == null, () -> qp.setEce(ece), qp, ece);
            c.call("query_ece", dead, qp::queryEce, qp);
            return;
        }
        QpRateLimitAttr attr = new QpRateLimitAttr().rateLimit(c.chance(3) ? 0 : c.chance(5) ? v.number() : 1 << 20);
        if (c.chance(3)) {
            attr.maxBurstSz(v.number()).typicalPktSz(v.number());
        }
        QpRateLimitAttr given = c.chance(60) ? null : attr;
        c.run(
                "modify_qp_rate_limit",
                dead || given == null || attr.rateLimit() < 0,
                () -> qp.modifyRateLimit(given),
                qp,
                attr.rateLimit(),
                attr.maxBurstSz());
    }

    void resizeCq() {
        CompletionQueue cq = pool.cqs.some(random);
        if (cq != null) {
            int cqe = v.capacity();
            c.run("resize_cq", pool.cqs.isDead(cq) || cqe < 1, () -> cq.resize(cqe), cq, cqe);
        }
    }

    void completionEvent() {
        CompletionChannel channel = pool.channels.made(random);
        if (channel == null) {
            return;
        }
        c.mayWait = true;
        boolean dead = pool.channels.isDead(channel);
        long timeout = c.chance(3) ? random.nextInt(3) : 0;
        TimeUnit unit = c.chance(40) ? null : TimeUnit.MILLISECONDS;
        CompletionQueue cq = c.chance(10)
                ? c.call("get_cq_event", dead, channel::getEvent, channel)
                : c.call("get_cq_event", false, () -> channel.getEvent(timeout, unit), channel, timeout, unit);
        if (cq != null) {
            pool.completionEvents.add(cq);
        }
    }

    void ackCompletionEvents() {
        CompletionQueue cq = pool.completionEvents.poll();
        if (cq != null) {
            c.run("ack_cq_events", false, () -> cq.ackEvents(1), cq, 1);
        }
        CompletionQueue other = pool.cqs.some(random);
        if (other != null && c.chance(4)) {
            int count = v.number();
            c.run("ack_cq_events", pool.cqs.isDead(other) || count < 1, () -> other.ackEvents(count), other, count);
        }
    }

    // ---- queues

    void createSrq() {
        ProtectionDomain pd = pool.pds.some(random);
        if (pd == null) {
            allocPd();
            return;
        }
        if (pool.srqs.isFull()) {
            closeOne(pool.srqs);
            return;
        }
        SrqAttr attr = c.chance(20) ? null : new SrqAttr().maxWr(v.capacity()).maxSge(v.small(5));
        if (c.chance(3)) {
            createTagSrq(pd, attr);
            return;
        }
        SrqInitAttr init = c.chance(20) ? null : new SrqInitAttr().attr(attr);
        boolean dead = pool.pds.isDead(pd) || init == null || attr == null;
        c.keep(pool.srqs, c.call("create_srq", dead, () -> pd.createSrq(init), pd, init));
    }

    private void createTagSrq(ProtectionDomain pd, SrqAttr attr) {
        CompletionQueue cq = pool.cqs.any(random, queue -> queue.context() == pd.context());
        SrqInitAttrEx init =
                new SrqInitAttrEx().srqType(SrqType.TM).pd(pd).cq(cq).attr(attr);
        if (!c.chance(10)) {
            init.tmCap(v.capacity(), v.capacity());
        }
        boolean dead = pool.pds.isDead(pd) || cq == null || pool.cqs.isDead(cq) || attr == null;
        c.keep(pool.srqs, c.call("create_srq_ex", dead, () -> pd.context().createSrqEx(init), pd, init));
    }

    void changeSrq() {
        SharedReceiveQueue srq = pool.srqs.some(random);
        if (srq == null) {
            return;
        }
        boolean dead = pool.srqs.isDead(srq);
        if (c.chance(4)) {
            c.call("query_srq", dead, srq::query, srq);
            return;
        }
        SrqAttr attr = c.chance(20) ? null : new SrqAttr();
        if (attr != null && c.chance(2)) {
            attr.maxWr(v.capacity());
        }
        if (attr != null && c.chance(2)) {
            attr.srqLimit(v.small(20));
        }
        c.run("modify_srq", dead || attr == null || attr.mask() == 0, () -> srq.modify(attr), srq, attr);
    }

    void createQp() {
        ProtectionDomain pd = pool.pds.some(random);
        if (pd == null) {
            allocPd();
            return;
        }
        if (pool.qps.isFull()) {
            closeOne(pool.qps);
            return;
        }
        CompletionQueue sendCq = pool.cqs.any(random, cq -> cq.context() == pd.context());
        CompletionQueue recvCq = c.chance(2) ? sendCq : pool.cqs.any(random, cq -> cq.context() == pd.context());
        SharedReceiveQueue srq = c.chance(4) ? pool.srqs.any(random, q -> q.context() == pd.context()) : null;
        QpInitAttr attr = c.chance(60)
                ? null
                : new QpInitAttr()
                        .qpType(c.chance(20) ? v.number() : QpType.RC + random.nextInt(3))
                        .sendCq(sendCq)
                        .recvCq(recvCq)
                        .srq(srq)
                        .sqSigAll(c.chance(2))
                        .cap(v.cap());
        boolean dead = pool.pds.isDead(pd)
                || attr == null
                || pool.cqs.isDead(sendCq)
                || pool.cqs.isDead(recvCq)
                || srq != null && pool.srqs.isDead(srq);
        c.keep(pool.qps, c.call("create_qp", dead, () -> pd.createQp(attr), pd, sendCq, recvCq, srq));
    }

    void modifyQp() {
        QueuePair qp = pool.qps.some(random);
        if (qp == null) {
            return;
        }
        boolean dead = pool.qps.isDead(qp);
        QpAttr attr =
                c.chance(60) ? null : v.towards(qp, v.state(), v.state(), pool.qps.any(random), random.nextInt(9));
        int spoilt = random.nextInt(3);
        for (int i = 0; i < spoilt && attr != null; i++) {
            v.spoil(attr);
        }
        c.run("modify_qp", dead || attr == null, () -> qp.modify(attr), qp, attr, attr == null ? 0 : attr.qpState());
    }

    /** Takes two queue pairs through all states so that they work with each other, unless another thread interferes. */
    void connect() {
        QueuePair a = pool.qps.some(random);
        if (a == null) {
            return;
        }
        QueuePair b = c.chance(6) ? a : pool.qps.some(random, qp -> qp != a && qp.qpType() == a.qpType());
        if (b == null) {
            return;
        }
        int psn = random.nextInt(3) - 1 & 0xffffff;
        for (int to = QpState.RESET; to <= QpState.RTS; to++) {
            step(a, to, b, psn);
            if (b != a) {
                step(b, to, a, psn);
            }
        }
    }

    private void step(QueuePair qp, int to, QueuePair peer, int psn) {
        int from = Math.max(0, to - 1);
        QpAttr attr = v.towards(qp, from, to, peer, psn);
        if (QpStateTable.allowed(qp.qpType(), from, to)) {
            c.run("modify_qp", pool.qps.isDead(qp), () -> qp.modify(attr), qp, QpState.toString(to));
        }
    }

    void queryQp() {
        QueuePair qp = pool.qps.some(random);
        if (qp == null) {
            return;
        }
        QpAttr attr = c.chance(20) ? null : new QpAttr();
        QpInitAttr init = c.chance(20) ? null : new QpInitAttr();
        int mask = v.number();
        boolean dead = pool.qps.isDead(qp) || attr == null || init == null;
        c.run("query_qp", dead, () -> qp.query(attr, mask, init), qp, mask);
    }

    void multicast() {
        QueuePair qp = pool.qps.some(random);
        if (qp == null) {
            return;
        }
        var gid = c.chance(3) && !DevicesUnderTest.areNative()
                ? v.gid()
                : Episode.GROUPS.get(random.nextInt(Episode.GROUPS.size()));
        // The kernel's device accepts any, and the end of an episode detaches from 0.
        int lid = c.chance(10) && !DevicesUnderTest.areNative() ? v.number() : 0;
        boolean dead = pool.qps.isDead(qp) || gid == null || qp.qpType() != QpType.UD || (lid & ~0xffff) != 0;
        if (c.chance(3)) {
            c.run("attach_mcast", dead, () -> qp.attachMcast(gid, lid), qp, gid, lid);
        } else {
            c.run("detach_mcast", dead, () -> qp.detachMcast(gid, lid), qp, gid, lid);
        }
    }

    // ---- closing

    /** Closes something, whether in use or not. */
    void closeAny() {
        switch (random.nextInt(40)) {
            case 0 -> closeOne(pool.contexts);
            case 1, 2 -> closeOne(pool.pds);
            case 3, 4 -> closeOne(pool.channels);
            case 5, 6, 7 -> closeOne(pool.srqs);
            case 8, 9, 10, 11, 12 -> closeOne(pool.cqs);
            case 13, 14, 15, 16, 17 -> closeOne(pool.mws);
            case 18, 19, 20, 21, 22 -> closeOne(pool.ahs);
            case 23, 24, 25, 26, 27, 28 -> closeOne(pool.mrs);
            default -> closeOne(pool.qps);
        }
    }

    private <T extends VerbsObject> void closeOne(Shelf<T> shelf) {
        c.close(shelf, shelf.some(random));
    }
}
