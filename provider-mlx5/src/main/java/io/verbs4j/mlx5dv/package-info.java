/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * libmlx5's direct verbs: features of ConnectX devices beyond the verbs, for applications. An application that uses
 * them works only with these devices. Everything starts from an open {@link io.verbs4j.Context} of such a device.
 *
 * <p>Functions that the loaded libmlx5 does not have fail with {@link io.verbs4j.Errno#ENOSYS}; the message names the
 * function and the release of rdma-core that introduced it. Source: mlx5dv(7).
 */
package io.verbs4j.mlx5dv;
