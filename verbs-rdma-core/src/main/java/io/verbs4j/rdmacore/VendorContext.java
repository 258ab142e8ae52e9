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

/** An open device whose vendor has its own verbs. Creates those verbs, and queues with vendor attributes. */
public abstract class VendorContext extends NativeContext {
    private final Map<Class<?>, Object> verbs = new ConcurrentHashMap<>();

    /** Opens a device. */
    protected VendorContext(NativeDevice device, Context context) {
        this(device, context, Libibverbs::ibv_open_device);
    }

    /**
     * Opens a device by a vendor function.
     *
     * @param open takes the {@code struct ibv_device} and returns the {@code struct ibv_context}, or 0
     */
    protected VendorContext(NativeDevice device, Context context, LongUnaryOperator open) {
        super(device, context, open);
    }

    // ---- the vendor's verbs

    /**
     * Creates the vendor's verbs at the first call and returns the same instance afterwards. Their class has passed its
     * constructor to {@link VendorVerbs}.
     *
     * @param lookup of a class in the module of the vendor's verbs
     */
    protected final <T> T vendorVerbs(Lookup lookup, Class<T> type) {
        return type.cast(verbs.computeIfAbsent(type, t -> VendorVerbs.make(lookup, type, this)));
    }

    /**
     * Calls a vendor function with the object behind a handle, as {@link OpenHandles#use}, and keeps the context open
     * meanwhile.
     *
     * @param name the caller's name for the handle
     * @param type class of the provider's handle
     * @param object returns the object behind it
     */
    public final <N, I extends IbvObject, T> T use(
            String verb, String name, VerbsObject handle, Class<N> type, Function<N, I> object, Function<I, T> body) {
        return children().use(verb, () -> OpenHandles.use(context(), verb, name, handle, type, object, body));
    }

    // ---- vendor attributes

    /**
     * Returns the vendor attributes.
     *
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if they are of another class, or null
     */
    public static <T> T vendorAttr(String verb, Object vendor, Class<T> type) {
        if (!type.isInstance(vendor)) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "vendor is "
                            + (vendor == null
                                    ? "null"
                                    : "a " + vendor.getClass().getName()) + ", but the provider expects "
                            + type.getSimpleName());
        }
        return type.cast(vendor);
    }

    /**
     * Checks that the required objects are present, for types that the library has no rules for; drivers read missing
     * ones unchecked.
     */
    public static void requireParents(String verb, QpInitAttrEx attr) {
        QpVerbs.requireParents(verb, attr);
    }

    // ---- queues

    /**
     * Creates a queue pair by a vendor function, with operations that are posted by {@code ibv_wr_*}.
     *
     * @param known whether type and attributes are known ones, so that EINVAL means that they are wrong and not that
     *     the device lacks them
     * @param operations the operations that can be posted to it, {@link io.verbs4j.QpCreateSendOps} bits; all are
     *     requested from the driver
     * @param built those of them that are posted by {@code ibv_wr_*}
     * @param create takes a {@code struct ibv_qp_init_attr_ex} and returns the {@code struct ibv_qp}, or 0
     */
    protected final NativeQueuePair createBuiltQp(
            String verb, QpInitAttrEx attr, boolean known, long operations, long built, LongUnaryOperator create) {
        return qpVerbs().createQpEx(verb, attr, known, operations, operations, built, create);
    }

    /**
     * Creates an extended completion queue by a vendor function.
     *
     * @param create takes a {@code struct ibv_cq_init_attr_ex}, filled except for the vendor's members, and returns the
     *     {@code struct ibv_cq_ex}, or 0
     */
    protected final NativeCompletionQueue createCqEx(String verb, CqInitAttrEx attr, LongUnaryOperator create) {
        return cqVerbs().create(verb, attr, create);
    }

    /**
     * Registers an extended completion queue that a vendor function has created; destroys it if no handle can be
     * created.
     */
    protected final NativeCompletionQueue knownCq(CqInitAttrEx attr, long cq) {
        try {
            return cqVerbs().known(newCompletionQueue(attr, cq));
        } catch (RuntimeException e) {
            Libibverbs.ibv_destroy_cq(cq);
            throw e;
        }
    }

    /** Registers a completion queue that a vendor function has created; destroys it if no handle can be created. */
    protected final NativeCompletionQueue knownCq(Object userContext, CompletionChannel channel, long cq) {
        try {
            return cqVerbs().known(newCompletionQueue(userContext, channel, cq));
        } catch (RuntimeException e) {
            Libibverbs.ibv_destroy_cq(cq);
            throw e;
        }
    }

    /**
     * Modifies a queue pair by a vendor function.
     *
     * @param function takes a {@code struct ibv_qp_attr} and returns 0 or an error
     */
    protected final void modifyQp(QueuePair qp, QpAttr attr, int mask, LongUnaryOperator function) {
        qpVerbs().modifyQp(qp, attr, mask, function);
    }

    /** The state changes of a type that the header's table does not contain. */
    protected interface States {
        /** {@return null if a change is valid, otherwise what is wrong with it} */
        String check(int from, int to, int mask);
    }

    /**
     * Rejects an invalid state change.
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
