/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

/**
 * Which interconnects a memory region is behind. Numbers are there where {@link #validity()} says so. Source: efadv_query_mr(3).
 *
 * @param validity {@link EfaMrValidity} bits
 * @param recvIcId of receiving
 * @param rdmaReadIcId of RDMA reads
 * @param rdmaRecvIcId of being written to
 */
public record EfaMrAttr(int validity, int recvIcId, int rdmaReadIcId, int rdmaRecvIcId) {}
