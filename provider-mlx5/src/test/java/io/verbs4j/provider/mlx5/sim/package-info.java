/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The provider on simulated devices, with the real libibverbs and libmlx5. */
package io.verbs4j.provider.mlx5.sim;
