/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_context}: an open device. Of {@code ops}, the functions that the header still takes from there.
 *
 * <pre>
 * 0 device(8)  8 ops(256)  64 ops.alloc_mw(8)  72 ops.bind_mw(8)  80 ops.dealloc_mw(8)  96 ops.poll_cq(8)
 * 104 ops.req_notify_cq(8)  168 ops.post_srq_recv(8)  208 ops.post_send(8)  216 ops.post_recv(8)  264 cmd_fd(4)
 * 268 async_fd(4)  272 num_comp_vectors(4)  320 abi_compat(8)|328    328 in all, 336 on aarch64
 * </pre>
 */
@CStruct("struct ibv_context")
public final class ContextLayout {
    @CIf("!defined(__aarch64__)")
    @CSize(size = 328)
    public static final int SIZEOF = 328;

    @CIf("defined(__aarch64__)")
    @CSize(size = 336)
    public static final int SIZEOF_AARCH64 = 336;

    @CField(value = "device", size = 8)
    public static final int DEVICE = 0;

    @CField(value = "ops", size = 256)
    public static final int OPS = 8;

    @CField(value = "ops.alloc_mw", size = 8)
    public static final int OPS_ALLOC_MW = 64;

    @CField(value = "ops.bind_mw", size = 8)
    public static final int OPS_BIND_MW = 72;

    @CField(value = "ops.dealloc_mw", size = 8)
    public static final int OPS_DEALLOC_MW = 80;

    @CField(value = "ops.poll_cq", size = 8)
    public static final int OPS_POLL_CQ = 96;

    @CField(value = "ops.req_notify_cq", size = 8)
    public static final int OPS_REQ_NOTIFY_CQ = 104;

    @CField(value = "ops.post_srq_recv", size = 8)
    public static final int OPS_POST_SRQ_RECV = 168;

    @CField(value = "ops.post_send", size = 8)
    public static final int OPS_POST_SEND = 208;

    @CField(value = "ops.post_recv", size = 8)
    public static final int OPS_POST_RECV = 216;

    @CField(value = "cmd_fd", size = 4)
    public static final int CMD_FD = 264;

    @CField(value = "async_fd", size = 4)
    public static final int ASYNC_FD = 268;

    @CField(value = "num_comp_vectors", size = 4)
    public static final int NUM_COMP_VECTORS = 272;

    @CIf("!defined(__aarch64__)")
    @CField(value = "abi_compat", size = 8)
    public static final int ABI_COMPAT = 320;

    @CIf("defined(__aarch64__)")
    @CField(value = "abi_compat", size = 8)
    public static final int ABI_COMPAT_AARCH64 = 328;

    private ContextLayout() {}
}
