/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.misuse;

import io.verbs4j.AhAttr;
import io.verbs4j.AsyncEvent;
import io.verbs4j.CompCntrInitAttr;
import io.verbs4j.CompletionCounter;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.ExportedFd;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.MwType;
import io.verbs4j.OpenAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueryDeviceExInput;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsLevel;
import io.verbs4j.VerbsObject;
import io.verbs4j.WcFlags;
import io.verbs4j.WorkCompletion;
import io.verbs4j.core.Verbs;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** The control verbs of contexts, domains and memory, each with random arguments. */
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

    <T extends VerbsObject> void closeOne(Shelf<T> shelf) {
        c.close(shelf, shelf.some(random));
    }
}
