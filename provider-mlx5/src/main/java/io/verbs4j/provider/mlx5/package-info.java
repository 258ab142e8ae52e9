/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** NVIDIA ConnectX: which devices these are, and what is different about their handles. */
package io.verbs4j.provider.mlx5;
