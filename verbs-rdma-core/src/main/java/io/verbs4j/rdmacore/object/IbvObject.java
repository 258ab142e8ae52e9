/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.XrcDomain;
import io.verbs4j.rdmacore.memory.Pin;

/**
 * The C object behind a handle. A handle has no methods of its own, since their names are the header's: what is ours is here, in
 * the handle's field {@code ibv}.
 */
public class IbvObject {
    private final long address;
    private final Pin pin = new Pin();

    /** Of a C object. */
    public IbvObject(long address) {
        this.address = address;
    }

    /** The C object; to be used while pinned, or by calls that keep the handle open. */
    public final long address() {
        return address;
    }

    /** Keeps it from being destroyed. */
    public final Pin pin() {
        return pin;
    }

    /** The {@code struct ibv_pd}, or 0 for null. */
    public static long addressOf(ProtectionDomain pd) {
        return pd == null ? 0 : of(pd).address();
    }

    /** What is behind a protection domain, which may be a parent domain. */
    public static IbvObject of(ProtectionDomain pd) {
        return pd instanceof NativeParentDomain parent ? parent.ibv : ((NativeProtectionDomain) pd).ibv;
    }

    /** The {@code struct ibv_comp_channel}, or 0 for null. */
    public static long addressOf(CompletionChannel channel) {
        return channel == null ? 0 : ((NativeCompletionChannel) channel).ibv.address();
    }

    /** The {@code struct ibv_cq}, or 0 for null. */
    public static long addressOf(CompletionQueue cq) {
        return cq == null ? 0 : ((NativeCompletionQueue) cq).ibv.address();
    }

    /** The {@code struct ibv_srq}, or 0 for null. */
    public static long addressOf(SharedReceiveQueue srq) {
        return srq == null ? 0 : ((NativeSharedReceiveQueue) srq).ibv.address();
    }

    /** The {@code struct ibv_xrcd}, or 0 for null. */
    public static long addressOf(XrcDomain xrcd) {
        return xrcd == null ? 0 : ((NativeXrcDomain) xrcd).ibv.address();
    }
}
