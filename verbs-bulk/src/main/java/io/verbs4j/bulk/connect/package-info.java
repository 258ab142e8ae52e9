/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** How queue pairs of two endpoints are connected. */
package io.verbs4j.bulk.connect;
