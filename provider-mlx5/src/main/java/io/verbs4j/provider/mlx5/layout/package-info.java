/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Offsets of the members of the structs in mlx5dv.h. */
package io.verbs4j.provider.mlx5.layout;
