/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Where the members of the structs of mlx5dv.h lie. */
package io.verbs4j.provider.mlx5.layout;
