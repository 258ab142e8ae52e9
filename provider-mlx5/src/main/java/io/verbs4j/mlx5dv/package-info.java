/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What ConnectX devices have beyond the verbs, for applications: libmlx5's direct verbs. An application that uses them works with
 * these devices only; everything starts from an open {@link io.verbs4j.Context} of one.
 *
 * <p>Functions that the loaded libmlx5 does not have answer {@link io.verbs4j.Errno#ENOSYS} with their name and the release of
 * rdma-core that they came with. Source: mlx5dv(7).
 */
package io.verbs4j.mlx5dv;
