/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Code shared by the provider and mlx5dv: direct calls to libmlx5, and the open device as mlx5dv sees it. */
package io.verbs4j.provider.mlx5.dv;
