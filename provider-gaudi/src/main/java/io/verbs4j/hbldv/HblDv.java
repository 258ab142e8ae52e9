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
import io.verbs4j.rdmacore.quirk.Driver;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The direct verbs of a Gaudi's open NICs, from {@link Context#vendor(Class)}.
 *
 * <p>The ordinary verbs create the completion queues of a port, with {@link HblCqInitAttr} as {@code vendor}, and
 * change the state of queue pairs, with {@link HblQpAttr}. All methods may be called from any thread.
 *
 * <p>In addition to what each method documents, methods throw {@link VerbsException} with {@link Errno#EINVAL} after
 * the context or the handle is closed, for handles of another context and for ports that are not open, with
 * {@link Errno#ENOSYS} if the loaded libhbl lacks the function or does not read the attribute, and with any error that
 * libhbl or the kernel reports. Source: {@code infiniband/hbldv.h}.
 */
public final class HblDv {
    static {
        VendorVerbs.constructor(
                HblDv.class,
                new Function<>() { // not a lambda, which would load the provider's class immediately
                    @Override
                    @SuppressWarnings("unchecked") // the provider's contexts use only these attributes
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
     * Returns whether libhbl drives a device.
     *
     * @param device a device from the library's list
     * @return true for the NICs of a Gaudi
     */
    public static boolean isSupported(Device device) {
        return device instanceof NativeDevice known && known.kernel.driver() == Driver.GAUDI;
    }

    /**
     * Returns the context that these direct verbs belong to.
     *
     * @return the context, as the program opened it
     */
    public Context context() {
        return base.context();
    }

    private <T> T open(String verb, Supplier<T> body) {
        return base.children().use(verb, body);
    }

    /**
     * Returns which of the published interfaces the loaded libhbl has. The library does not report its release, so this
     * is deduced from what it exports.
     *
     * @return {@code upstream}, {@code 1.16}, {@code 1.17}, {@code 1.18}, {@code 1.19}, or {@code 1.20 or 1.21}
     */
    public String release() {
        return base.layout().toString();
    }

    // ---- device and ports

    /**
     * Queries the device's ports and capabilities.
     *
     * @return a new instance
     */
    public HblDeviceAttr queryDevice() {
        return open("hbldv_query_device", () -> new HblDeviceAttr(HblQueries.device(base)));
    }

    /**
     * Returns whether a port is internal: wired directly to another card of the server. Such a port has a single,
     * hard-wired GID and no network interface, and whatever it sends arrives at the port at the other end of the wire.
     *
     * @param portNum the port, from 1
     * @return true if the port is internal; false if it leads out of the server
     */
    public boolean isInternal(int portNum) {
        return open("hbldv_query_device", () -> base.isInternal("hbldv_query_device", portNum));
    }

    /**
     * Sets up a port. This can be done once, before anything is created on the port. A port that is not set up gets the
     * default queues at first use. Source: {@code hbldv_set_port_ex}.
     *
     * @param attr the port and its attributes
     * @throws VerbsException {@link Errno#EPERM} if the port is already set up, {@link Errno#EINVAL} for unsupported
     *     counts, {@link Errno#ENODEV} while the port is down, {@link Errno#EAGAIN} while it is still being torn down
     *     after another program
     */
    public void setPortEx(HblPortExAttr attr) {
        open("hbldv_set_port_ex", () -> {
            base.setPort(attr);
            return null;
        });
    }

    /**
     * Queries the limits of a port, which sets up the port if necessary. Source: {@code hbldv_query_port}.
     *
     * @param portNum the port, from 1
     * @return a new instance
     */
    public HblPortAttr queryPort(int portNum) {
        return open("hbldv_query_port", () -> new HblPortAttr(HblQueries.port(base, portNum)));
    }

    // ---- queues

    /**
     * Queries the number and the rings of a queue pair. Source: {@code hbldv_query_qp}.
     *
     * @param qp a queue pair
     * @return the result; its addresses are valid until the queue pair is closed or goes to RESET
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
     * Queries the memory layout of a completion queue. Source: {@code hbldv_query_cq}.
     *
     * @param cq a completion queue
     * @return the layout; its addresses are valid until the queue is closed
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
     * Creates a FIFO. Source: {@code hbldv_create_usr_fifo}.
     *
     * @param attr attributes of the FIFO
     * @return the FIFO
     * @throws VerbsException {@link Errno#ENOSPC} if all FIFOs of the port are in use, {@link Errno#EBUSY} if the
     *     requested number is in use
     */
    public HblUsrFifo createUsrFifo(HblUsrFifoAttr attr) {
        return HblUsrFifo.create(base, attr);
    }

    /**
     * Creates an encapsulation. Source: {@code hbldv_create_encap}.
     *
     * @param attr attributes of the encapsulation
     * @return the encapsulation
     * @throws VerbsException {@link Errno#EINVAL} for internal ports and for a header that is longer than 32 bytes or
     *     not a multiple of 4 bytes; {@link Errno#ENOSPC} if all encapsulations of the port are in use
     */
    public HblEncap createEncap(HblEncapAttr attr) {
        return HblEncap.create(base, attr);
    }

    // ---- memory

    /**
     * Returns the address of a registered region in this process. {@link MemoryRegion#addr()} is its device address
     * instead, which requests and peers use.
     *
     * @param mr a region of this context
     * @return the first address of the region
     */
    public long hostAddress(MemoryRegion mr) {
        if (!(mr instanceof GaudiMemoryRegion region) || mr.context() != base.context()) {
            throw new VerbsException(Errno.EINVAL, "reg_mr", "mr is null or belongs to another context");
        }
        return region.hostAddress;
    }

    // ---- collectives

    /**
     * Reserves a queue pair number that is free on several ports. Requires release 1.16.
     *
     * <p>On each of these ports, the number of the queue pair is the reserved number plus the port's
     * {@link HblPortAttr#collQpsOffset()}: request it by {@link HblQpAttr#qpNumHint(int)} with {@link HblQpCaps#COLL}.
     * The number is free again when all of these queue pairs are closed. The ports must be set up before. Source:
     * {@code hbldv_reserve_coll_qps}.
     *
     * @param pd the protection domain
     * @param scaleOut true for collectives between servers, on external ports; false for collectives within the server
     * @param portsMask the ports: bit 1 is port 1, as in {@link HblDeviceAttr#portsMask()} (in
     *     {@link io.verbs4j.DeviceAttrEx#internalPorts()} bit 0 is port 1); 0 for all ports of the kind. Releases
     *     before 1.21 always reserve on all ports of the kind. On these, any other mask is refused if the release can
     *     be recognized; 1.20 cannot be told from 1.21, so it accepts the mask silently and reserves on all ports
     * @param timeout how long to retry while the device reports {@link Errno#EBUSY}, as it does while numbers are being
     *     freed; 0 or less tries once
     * @param unit the unit of {@code timeout}
     * @return the number
     * @throws VerbsException {@link Errno#EINVAL} if the unit is null; {@link Errno#EBUSY} if the device still reports
     *     it at the end; {@link Errno#EPERM} if a port is not set up; {@link Errno#ENOSPC} if no number is free;
     *     {@link Errno#EINTR} if the thread is interrupted (it stays interrupted)
     */
    public int reserveCollQps(ProtectionDomain pd, boolean scaleOut, long portsMask, long timeout, TimeUnit unit) {
        if (unit == null) {
            throw new VerbsException(
                    Errno.EINVAL, "hbldv_reserve_coll_qps", "unit is null; pass the unit of the timeout");
        }
        return HblCollectives.reserve(base, pd, scaleOut, portsMask, Math.max(0, unit.toNanos(timeout)));
    }

    /**
     * Replaces a queue pair by another one, which named it at RTR by {@link HblQpAttr#qpToMigrate(QueuePair)}. The new
     * queue pair takes over the number, and the old one goes to ERR. Requires release 1.19. Source:
     * {@code hbldv_migrate_qp}.
     *
     * @param qp the new queue pair, in RTS
     * @param from the queue pair that it replaces
     * @throws VerbsException {@link Errno#EINVAL} if {@code qp} did not name {@code from} at RTR
     */
    public void migrateQp(QueuePair qp, QueuePair from) {
        HblCollectives.migrate(base, qp, from);
    }

    /**
     * Queries the scheduler's resources for collectives. Requires release 1.16. Source:
     * {@code hbldv_reserve_coll_sched_resources}.
     *
     * @return the resources, in the library's order
     */
    public List<HblCollSchedResource> reserveCollSchedResources() {
        return open(
                "hbldv_reserve_coll_sched_resources",
                () -> HblCollectives.resources(base).stream()
                        .map(HblCollSchedResource::new)
                        .toList());
    }
}
