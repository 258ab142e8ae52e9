/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The provider of NVIDIA ConnectX devices: which devices it drives, and its handles. */
package io.verbs4j.provider.mlx5;
