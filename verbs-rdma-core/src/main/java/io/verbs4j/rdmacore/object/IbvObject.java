/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.XrcDomain;
import io.verbs4j.rdmacore.memory.Pin;

/**
 * The C object behind a handle. Native handles declare no methods of their own, because method names belong to the
 * header; the provider's methods are here, reached by the handle's field {@code ibv}.
 */
public class IbvObject {
    private final long address;
    private final Pin pin = new Pin();

    /** Creates the object for a C object. */
    public IbvObject(long address) {
        this.address = address;
    }

    /** {@return the address of the C object; use it while pinned, or in calls that keep the handle open} */
    public final long address() {
        return address;
    }

    /** {@return the pin that keeps it from being destroyed} */
    public final Pin pin() {
        return pin;
    }

    /** {@return the {@code struct ibv_pd}, or 0 for null} */
    public static long addressOf(ProtectionDomain pd) {
        return pd == null ? 0 : of(pd).address();
    }

    /** {@return the object behind a protection domain, which may be a parent domain} */
    public static IbvObject of(ProtectionDomain pd) {
        return pd instanceof NativeParentDomain parent ? parent.ibv : ((NativeProtectionDomain) pd).ibv;
    }

    /** {@return the {@code struct ibv_comp_channel}, or 0 for null} */
    public static long addressOf(CompletionChannel channel) {
        return channel == null ? 0 : ((NativeCompletionChannel) channel).ibv.address();
    }

    /** {@return the {@code struct ibv_cq}, or 0 for null} */
    public static long addressOf(CompletionQueue cq) {
        return cq == null ? 0 : ((NativeCompletionQueue) cq).ibv.address();
    }

    /** {@return the {@code struct ibv_srq}, or 0 for null} */
    public static long addressOf(SharedReceiveQueue srq) {
        return srq == null ? 0 : ((NativeSharedReceiveQueue) srq).ibv.address();
    }

    /** {@return the {@code struct ibv_xrcd}, or 0 for null} */
    public static long addressOf(XrcDomain xrcd) {
        return xrcd == null ? 0 : ((NativeXrcDomain) xrcd).ibv.address();
    }
}
