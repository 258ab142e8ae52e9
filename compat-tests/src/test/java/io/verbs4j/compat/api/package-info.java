/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Compares the API of this build with each frozen level. */
package io.verbs4j.compat.api;
