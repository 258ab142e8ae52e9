/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Has the device copy between memory regions of this side. The queue pair must be of type RC, created with
 * {@link Mlx5SendOps#MEMCPY}. Since rdma-core 37. Source: mlx5dv_wr_post(3), {@code mlx5dv_wr_memcpy}.
 */
public final class Mlx5MemcpyRequest extends Mlx5SendRequest {
    private int destLkey;
    private long destAddr;
    private int srcLkey;
    private long srcAddr;
    private long length;

    /** Creates a request that copies nothing yet. */
    public Mlx5MemcpyRequest() {}

    /**
     * Sets the request's id and flags.
     *
     * @param wrId the id that its completion carries
     * @param sendFlags {@link io.verbs4j.SendFlags} bits
     * @return this
     */
    public Mlx5MemcpyRequest request(long wrId, int sendFlags) {
        name(wrId, sendFlags);
        return this;
    }

    /**
     * Sets the destination.
     *
     * @param lkey key of the memory, with LOCAL_WRITE
     * @param addr start of the destination
     * @return this
     */
    public Mlx5MemcpyRequest to(int lkey, long addr) {
        destLkey = lkey;
        destAddr = addr;
        return this;
    }

    /**
     * Sets the source.
     *
     * @param lkey key of the memory
     * @param addr start of the source
     * @param bytes number of bytes, 1 to {@link Mlx5DeviceAttr#maxWrMemcpyLength()}
     * @return this
     */
    public Mlx5MemcpyRequest from(int lkey, long addr, long bytes) {
        srcLkey = lkey;
        srcAddr = addr;
        length = bytes;
        return this;
    }

    int destLkey() {
        return destLkey;
    }

    long destAddr() {
        return destAddr;
    }

    int srcLkey() {
        return srcLkey;
    }

    long srcAddr() {
        return srcAddr;
    }

    long length() {
        return length;
    }
}
