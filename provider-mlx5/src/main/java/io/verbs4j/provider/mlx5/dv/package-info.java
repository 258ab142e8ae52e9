/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** What the provider and mlx5dv share: libmlx5, called directly, and the open device as mlx5dv knows it. */
package io.verbs4j.provider.mlx5.dv;
