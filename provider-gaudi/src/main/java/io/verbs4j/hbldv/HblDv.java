/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.gaudi.dv.CqPlace;
import io.verbs4j.provider.gaudi.dv.DvContext;
import io.verbs4j.provider.gaudi.dv.HblCollectives;
import io.verbs4j.provider.gaudi.dv.HblQueries;
import io.verbs4j.provider.gaudi.dv.QpPlace;
import io.verbs4j.provider.gaudi.ring.GaudiMemoryRegion;
import io.verbs4j.rdmacore.NativeDevice;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.VendorVerbs;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What the open NICs of a Gaudi have beyond the verbs; from {@link Context#vendor(Class)}. Completion queues of a port are made by the verbs, with {@link HblCqInitAttr} as {@code vendor},
 * and queue pairs go from state to state with {@link HblQpAttr}. All methods may be called from any thread. Besides what each says they throw {@link
 * VerbsException} with {@link Errno#EINVAL} after the context or the handle is closed, for handles of another context and ports that are not
 * open, with {@link Errno#ENOSYS} where the loaded libhbl does not have the function or does not read the attribute, and with what libhbl or
 * the kernel answers. Source: {@code infiniband/hbldv.h}.
 */
public final class HblDv {
    static {
        VendorVerbs.constructor(
                HblDv.class,
                new Function<>() { // not a lambda: that would load the provider's class at once
                    @Override
                    @SuppressWarnings("unchecked") // the provider's contexts have these attributes alone
                    public HblDv apply(VendorContext base) {
                        return new HblDv((DvContext<HblPortExAttr, HblUsrFifoAttr>) base);
                    }
                });
    }

    private final DvContext<HblPortExAttr, HblUsrFifoAttr> base;

    HblDv(DvContext<HblPortExAttr, HblUsrFifoAttr> base) {
        this.base = base;
    }

    /**
     * Whether libhbl drives a device.
     *
     * @param device a device that the library has listed
     * @return true for the NICs of a Gaudi
     */
    public static boolean isSupported(Device device) {
        return device instanceof NativeDevice known && known.kernel.isGaudi();
    }

    /**
     * The context that these are the direct verbs of.
     *
     * @return the context, as the program has it
     */
    public Context context() {
        return base.context();
    }

    private <T> T open(String verb, Supplier<T> body) {
        return base.children().use(verb, body);
    }

    /**
     * Tells which of the published interfaces the loaded libhbl has, by what can be seen of it: it does not say.
     *
     * @return {@code upstream}, {@code 1.16}, {@code 1.17}, {@code 1.18}, {@code 1.19}, or {@code 1.20 or 1.21}
     */
    public String release() {
        return base.layout().toString();
    }

    // ---- device and ports

    /**
     * Asks what the device is.
     *
     * @return a new instance with the answer
     */
    public HblDeviceAttr queryDevice() {
        return open("hbldv_query_device", () -> new HblDeviceAttr(HblQueries.device(base)));
    }

    /**
     * Whether a port leads to other cards of the server, by a wire of its own: its one GID is hard-wired, it has no network interface, and whatever
     * is sent comes to the port at the other end.
     *
     * @param portNum the port, from 1
     * @return whether it does; else it leads out of the server
     */
    public boolean isInternal(int portNum) {
        return open("hbldv_query_device", () -> base.isInternal("hbldv_query_device", portNum));
    }

    /**
     * Sets a port up, once, before anything is made at it. One that is not gets usual queues when it is first used. Source: {@code hbldv_set_port_ex}.
     *
     * @param attr which port, and how
     * @throws VerbsException {@link Errno#EPERM} where it is set up already, {@link Errno#EINVAL} for counts that it does not take, {@link
     *     Errno#ENODEV} while it is down, {@link Errno#EAGAIN} while it is torn down after another program
     */
    public void setPortEx(HblPortExAttr attr) {
        open("hbldv_set_port_ex", () -> {
            base.setPort(attr);
            return null;
        });
    }

    /**
     * Asks what a port has; it is set up for that. Source: {@code hbldv_query_port}.
     *
     * @param portNum the port, from 1
     * @return a new instance with the answer
     */
    public HblPortAttr queryPort(int portNum) {
        return open("hbldv_query_port", () -> new HblPortAttr(HblQueries.port(base, portNum)));
    }

    // ---- queues

    /**
     * Tells what a queue pair is to the device. Source: {@code hbldv_query_qp}.
     *
     * @param qp a queue pair
     * @return the answer; its addresses are good until the queue pair is closed or goes to RESET
     */
    public HblQueryQpAttr queryQp(QueuePair qp) {
        String verb = "hbldv_query_qp";
        return base.use(
                verb,
                "qp",
                qp,
                NativeQueuePair.class,
                handle -> handle.ibv,
                known -> new HblQueryQpAttr(QpPlace.of(known.address())));
    }

    /**
     * Tells where a completion queue is. Source: {@code hbldv_query_cq}.
     *
     * @param cq a completion queue
     * @return the answer; its addresses are good until the queue is closed
     */
    public HblQueryCqAttr queryCq(CompletionQueue cq) {
        String verb = "hbldv_query_cq";
        return base.use(
                verb,
                "cq",
                cq,
                NativeCompletionQueue.class,
                handle -> handle.ibv,
                known -> new HblQueryCqAttr(CqPlace.of(known.address())));
    }

    /**
     * Makes a FIFO. Source: {@code hbldv_create_usr_fifo}.
     *
     * @param attr what it is made of
     * @return the FIFO
     * @throws VerbsException {@link Errno#ENOSPC} where the port has no more, {@link Errno#EBUSY} where somebody has the number
     */
    public HblUsrFifo createUsrFifo(HblUsrFifoAttr attr) {
        return HblUsrFifo.create(base, attr);
    }

    /**
     * Makes an encapsulation. Source: {@code hbldv_create_encap}.
     *
     * @param attr what it is made of
     * @return the encapsulation
     * @throws VerbsException {@link Errno#EINVAL} for a header that is longer than 32 bytes, and at internal ports; {@link Errno#ENOSPC} where
     *     the port has no more
     */
    public HblEncap createEncap(HblEncapAttr attr) {
        return HblEncap.create(base, attr);
    }

    // ---- memory

    /**
     * Where memory that is registered is in this process; {@link MemoryRegion#addr()} is the device's address of it, by which requests and peers
     * name it.
     *
     * @param mr a region of this context
     * @return its first address
     */
    public long hostAddress(MemoryRegion mr) {
        if (!(mr instanceof GaudiMemoryRegion region) || mr.context() != base.context()) {
            throw new VerbsException(Errno.EINVAL, "reg_mr", "mr is null or belongs to another context");
        }
        return region.hostAddress;
    }

    // ---- collectives

    /**
     * Reserves a number that is free on all of some ports. On each it is the number and the port's {@link HblPortAttr#collQpsOffset()}, to
     * be asked for by {@link HblQpAttr#qpNumHint(int)} with {@link HblQpCaps#COLL}; it is free again when all of these are closed. These ports are
     * set up before. Releases 1.16 and newer. Source: {@code hbldv_reserve_coll_qps}.
     *
     * @param pd the protection domain
     * @param scaleOut whether it is for collectives between servers, on external ports; else within the server
     * @param portsMask which ports: bit 1 is port 1, as in {@link HblDeviceAttr#portsMask()} (in {@link
     *     io.verbs4j.DeviceAttrEx#internalPorts()} bit 0 is port 1); 0 for all of the kind. Releases before 1.21 know all of the kind alone; of those, this refuses
     *     others where it can tell them: 1.20 takes them in silence, and reserves on all
     * @param timeout how long to try while the device says EBUSY, as it does while numbers are given back; 0 or less tries once
     * @param unit the unit of {@code timeout}
     * @return the number
     * @throws VerbsException {@link Errno#EINVAL} where the unit is null; {@link Errno#EBUSY} where the device goes on saying so; {@link Errno#EPERM} where a port is not set up; {@link Errno#ENOSPC}
     *     where none is free; {@link Errno#EINTR} where the thread is interrupted (it stays interrupted)
     */
    public int reserveCollQps(ProtectionDomain pd, boolean scaleOut, long portsMask, long timeout, TimeUnit unit) {
        if (unit == null) {
            throw new VerbsException(
                    Errno.EINVAL, "hbldv_reserve_coll_qps", "unit is null; pass the unit of the timeout");
        }
        return HblCollectives.reserve(base, pd, scaleOut, portsMask, Math.max(0, unit.toNanos(timeout)));
    }

    /**
     * Has a queue pair take the place of the one that it was told of at RTR by {@link HblQpAttr#qpToMigrate(QueuePair)}: it gets its number, and
     * the other one is in ERR. Releases 1.19 and newer. Source: {@code hbldv_migrate_qp}.
     *
     * @param qp in RTS
     * @param from whose place it takes
     * @throws VerbsException {@link Errno#EINVAL} where it was not told of it
     */
    public void migrateQp(QueuePair qp, QueuePair from) {
        HblCollectives.migrate(base, qp, from);
    }

    /**
     * Asks for what the scheduler has for collectives. Releases 1.16 and newer. Source: {@code hbldv_reserve_coll_sched_resources}.
     *
     * @return what it has, in the library's order
     */
    public List<HblCollSchedResource> reserveCollSchedResources() {
        return open(
                "hbldv_reserve_coll_sched_resources",
                () -> HblCollectives.resources(base).stream()
                        .map(HblCollSchedResource::new)
                        .toList());
    }
}
