/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** libmlx5, called directly. */
package io.verbs4j.provider.mlx5.dv;
