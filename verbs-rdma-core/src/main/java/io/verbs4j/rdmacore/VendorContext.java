/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.CompletionChannel;
import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsObject;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.object.OpenHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;

/** An open device whose vendor has verbs of his own: what they make, and what makes queues with attributes of the vendor's. */
public abstract class VendorContext extends NativeContext {
    private final Map<Class<?>, Object> verbs = new ConcurrentHashMap<>();

    /** Opens a device. */
    protected VendorContext(NativeDevice device, Context context) {
        this(device, context, Libibverbs::ibv_open_device);
    }

    /**
     * Opens a device by a function of the vendor's.
     *
     * @param open gets the {@code struct ibv_device}, and returns the {@code struct ibv_context} or 0
     */
    protected VendorContext(NativeDevice device, Context context, LongUnaryOperator open) {
        super(device, context, open);
    }

    // ---- the vendor's verbs

    /**
     * Makes the vendor's verbs when they are asked for, the same at each call. Their class has passed its constructor to {@link
     * VendorVerbs}.
     *
     * @param lookup of a class in the module of the vendor's verbs
     */
    protected final <T> T vendorVerbs(Lookup lookup, Class<T> type) {
        return type.cast(verbs.computeIfAbsent(type, t -> VendorVerbs.make(lookup, type, this)));
    }

    /**
     * Calls something of the vendor's with the object behind a handle, as {@link OpenHandles#use}, while the context stays open.
     *
     * @param name what the caller knows the handle as
     * @param type of the provider's handle
     * @param object what is behind that
     */
    public final <N, I extends IbvObject, T> T use(
            String verb, String name, VerbsObject handle, Class<N> type, Function<N, I> object, Function<I, T> body) {
        return children().use(verb, () -> OpenHandles.use(context(), verb, name, handle, type, object, body));
    }

    // ---- attributes of the vendor's

    /**
     * The vendor's attributes.
     *
     * @throws VerbsException {@link Errno#EOPNOTSUPP} where they are of another class, or null
     */
    public static <T> T vendorAttr(String verb, Object vendor, Class<T> type) {
        if (!type.isInstance(vendor)) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "vendor is "
                            + (vendor == null
                                    ? "null"
                                    : "a " + vendor.getClass().getName()) + "; the provider knows "
                            + type.getSimpleName());
        }
        return type.cast(vendor);
    }

    /** As for other types that the library has no rules for, of which drivers read what is not there. */
    public static void requireParents(String verb, QpInitAttrEx attr) {
        QpVerbs.requireParents(verb, attr);
    }

    // ---- queues

    /**
     * Makes a queue pair by a function of the vendor's, with operations that go by {@code ibv_wr_*}.
     *
     * @param known whether type and attributes are such that EINVAL means that they are wrong, and not that the device can't
     * @param operations what can be posted to it, {@link io.verbs4j.QpCreateSendOps} bits: the driver is asked for these
     * @param built which of them go by {@code ibv_wr_*}
     * @param create gets a {@code struct ibv_qp_init_attr_ex}, and returns the {@code struct ibv_qp} or 0
     */
    protected final NativeQueuePair createBuiltQp(
            String verb, QpInitAttrEx attr, boolean known, long operations, long built, LongUnaryOperator create) {
        return qpVerbs().createQpEx(verb, attr, known, operations, operations, built, create);
    }

    /**
     * Makes an extended completion queue by a function of the vendor's.
     *
     * @param create gets a {@code struct ibv_cq_init_attr_ex} with all that is not the vendor's, and returns the {@code struct
     *     ibv_cq_ex} or 0
     */
    protected final NativeCompletionQueue createCqEx(String verb, CqInitAttrEx attr, LongUnaryOperator create) {
        return cqVerbs().create(verb, attr, create);
    }

    /** As the other; for the extended verb. */
    protected final NativeCompletionQueue knownCq(CqInitAttrEx attr, long cq) {
        try {
            return cqVerbs().known(newCompletionQueue(attr, cq));
        } catch (RuntimeException e) {
            Libibverbs.ibv_destroy_cq(cq);
            throw e;
        }
    }

    /** Makes a completion queue known that a function of the vendor's has made; where there is no handle for it, it is destroyed. */
    protected final NativeCompletionQueue knownCq(Object userContext, CompletionChannel channel, long cq) {
        try {
            return cqVerbs().known(newCompletionQueue(userContext, channel, cq));
        } catch (RuntimeException e) {
            Libibverbs.ibv_destroy_cq(cq);
            throw e;
        }
    }

    /**
     * Changes a queue pair by a function of the vendor's.
     *
     * @param function gets a {@code struct ibv_qp_attr}, and answers 0 or what went wrong
     */
    protected final void modifyQp(QueuePair qp, QpAttr attr, int mask, LongUnaryOperator function) {
        qpVerbs().modifyQp(qp, attr, mask, function);
    }

    /** The states of a type that the header's table does not know. */
    protected interface States {
        /** Null if a change is fine, else what is wrong with it. */
        String check(int from, int to, int mask);
    }

    /**
     * Refuses a change of state that a queue pair can't make.
     *
     * @throws VerbsException {@link Errno#EINVAL} with what is wrong
     */
    protected final void requireChange(QueuePair qp, QpAttr attr, int mask, States states) {
        QpAttr now = new QpAttr();
        queryQp(qp, now, QpAttrMask.STATE, new QpInitAttr());
        int to = (mask & QpAttrMask.STATE) == 0 ? now.qpState() : attr.qpState();
        String wrong = states.check(now.qpState(), to, mask & QP_ATTRIBUTES);
        if (wrong != null) {
            throw new VerbsException(Errno.EINVAL, "modify_qp", wrong);
        }
    }
}
